import { createContext } from "react-router";
import type { Backend, DataClient } from "./data/client.ts";

export interface Site {
  title: string;
  /** The site's origin for canonical URLs, without a trailing slash. */
  url: string;
  /** The backend for the browser. An empty `url` means the page's own origin. */
  backend: Backend;
  logo?: string | undefined;
  footerLinks: { name: string; href: string }[];
}

/** A member's text. `author` is the member's id. Different authors' texts don't delay each other. */
export type RenderJob = { author: string; text: string } & (
  | /** An `article` is Markdown on its own page, with a table of contents and anchors at its headings. */
  { kind: "markdown" | "article"; path: string }
  | { kind: "code"; language: string }
);

export interface PageContext {
  site: Site;
  data: DataClient;
  /** Returns HTML in the order of the jobs. Never throws: failed jobs become plain text. */
  render(jobs: RenderJob[]): Promise<string[]>;
  logFailure(event: string, error: unknown): void;
}

/** Specification §1. */
export const TAGLINE =
  "A platform for professionals to highlight their Python, SQL, and AWS skills through portfolios, sample code, and knowledge sharing.";

/** `Cache-Control` of a page that is the same for everyone. Routes declare it with `headers`. */
export const CACHEABLE = "public, max-age=0, s-maxage=1";

export const pageContext = createContext<PageContext>();
