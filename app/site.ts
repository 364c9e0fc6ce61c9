import { createContext } from "react-router";
import type { Backend, DataClient } from "./data/client.ts";

export interface Site {
  title: string;
  /** Origin of the site for canonical addresses, without a trailing slash. */
  url: string;
  /** Where the browser finds the backend; an empty `url` means the page's own origin. */
  backend: Backend;
  logo?: string | undefined;
  footerLinks: { name: string; href: string }[];
}

export type RenderJob =
  /** An `article` is Markdown on the page that is all about it: its headings begin at the second level, and have anchors. */
  | { kind: "markdown" | "article"; text: string; path: string }
  | { kind: "code"; text: string; language: string };

export interface PageContext {
  site: Site;
  data: DataClient;
  /** HTML in the order of the jobs. Never throws: what cannot be rendered becomes plain text. */
  render(jobs: RenderJob[]): Promise<string[]>;
  logFailure(event: string, error: unknown): void;
}

/** Specification §1. */
export const TAGLINE =
  "A platform for professionals to highlight their Python, SQL, and AWS skills through portfolios, sample code, and knowledge sharing.";

/** `Cache-Control` of a page that is the same for everyone. Routes declare it with `headers`. */
export const CACHEABLE = "public, max-age=0, s-maxage=1";

export const pageContext = createContext<PageContext>();
