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

/** The inline scripts and styles that the server itself put into a document. */
export interface InlineCode {
  scripts: string[];
  styles: string[];
}

export interface PageContext {
  site: Site;
  data: DataClient;
  /** HTML in the order of the jobs. Never throws: what cannot be rendered becomes plain text. */
  render(jobs: RenderJob[]): Promise<string[]>;
  logFailure(event: string, error: unknown): void;
  /** A document carries rendered HTML in its markup, so its data leaves it out; other requests need it in the data. */
  isDocument: boolean;
  keepDocument(html: Buffer, inline: InlineCode): void;
  renderedHtml: Map<string, string>;
}

export const pageContext = createContext<PageContext>();
