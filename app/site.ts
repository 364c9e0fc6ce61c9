import { createContext } from "react-router";
import type { Backend, DataClient } from "./data/client.ts";

/** What every page tells of the site it belongs to. */
export interface Site {
  /** Name and domain suffix: `Techfolio.com` or `Techfolio.pro` (specification §1). */
  title: string;
  /** Origin of the site for canonical addresses, without a trailing slash. */
  url: string;
  /** Where the browser finds the backend; an empty `url` means the page's own origin. */
  backend: Backend;
  /** Address of the operator's own picture in the top bar. */
  logo?: string | undefined;
  /** Such as an imprint: the operator's own. */
  footerLinks: { name: string; href: string }[];
}

/** What is turned into HTML on the server, so that no reader downloads a Markdown parser or a highlighter. */
export type RenderJob =
  /** An `article` is Markdown on the page that is all about it: its headings begin at the second level, and have anchors. */
  { kind: "markdown" | "article"; text: string } | { kind: "code"; text: string; language: string };

/** HTML in the order of the jobs. Never throws: what cannot be rendered becomes plain text. */
type Render = (jobs: RenderJob[]) => Promise<string[]>;

/** What the server hands to the loaders of one request. */
export interface PageContext {
  site: Site;
  /** Reads as an anonymous visitor. */
  data: DataClient;
  render: Render;
  /** Called with what a page keeps quiet about (specification §8). */
  logFailure(event: string, error: unknown): void;
  /** A document carries rendered HTML in its markup, so its data leaves it out; other requests need it in the data. */
  isDocument: boolean;
  /** Called with the document in UTF-8 and the inline code that the server put into it. */
  keepDocument(html: Buffer, inline: { scripts: string[]; styles: string[] }): void;
  /** HTML of this document's items by key, for the components that show it. */
  renderedHtml: Map<string, string>;
}

export const pageContext = createContext<PageContext>();
