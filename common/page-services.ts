import type { BackendAddress } from "./data/client.ts";
import type { JoinState } from "./data/invitation-links.ts";
import type { DataReader } from "./data/reader.ts";
import type { Reported, ReportResult, ReportValues } from "./data/report-rules.ts";

/** The ways to sign in that the backend offers. */
export interface SignInMethods {
  password: boolean;
  /** Whether members can add passkeys, and sign in with them. */
  passkeys: boolean;
  /** The identity providers, with their ids in auth-js. */
  providers: { id: string; name: string }[];
}

export interface Site {
  title: string;
  /** The site's origin for canonical URLs, without a trailing slash. */
  url: string;
  /** The backend that the browser uses. An empty `url` means the page's own origin. */
  backend: BackendAddress;
  signIn: SignInMethods;
  logo?: string | undefined;
  footerLinks: { name: string; href: string }[];
  /** Whether readers can report items and people. */
  acceptsReports?: boolean;
}

/** Text to render. `author` is the id of its author, so that one member's jobs don't delay other members' jobs. */
export type RenderJob = { author: string; text: string } & (
  | /** `markdown-page` is for an item's own page. It adds a table of contents and heading anchors. */
  { format: "markdown" | "markdown-page"; path: string }
  | { format: "code"; language: string }
);

/** The beginning of the HTML of a Markdown text that is not rendered yet. Unlike a text that can't be, it soon will be. */
export const PENDING_TEXT = '<p class="plain-text" data-pending="">';

/** The services that the server passes to the loaders of pages. */
export interface PageServices {
  site: Site;
  data: DataReader;
  /** Returns HTML in the order of the jobs. Never throws: jobs that fail or take too long become plain text. */
  render(jobs: RenderJob[]): Promise<string[]>;
  logFailure(event: string, error: unknown): void;
  /** Returns what the page of the invitation link with this code shows. */
  readJoinState?(code: string): Promise<JoinState>;
  /** Stores a report. Only for the action of a sent form. Throws if the database is not available. */
  addReport?: (reported: Reported, values: ReportValues) => Promise<ReportResult>;
}

/** The site's tagline (specification §1). */
export const TAGLINE =
  "A platform for professionals to highlight their Python, SQL, and AWS skills through portfolios, sample code, and knowledge sharing.";

/** The most bytes of a page, as a document or as data, before compression (contract, "Limits"). A larger one is an error. */
export const MAX_PAGE_BYTES = 8 * 1024 * 1024;

/** The `Cache-Control` header of pages that are the same for all visitors: shared caches may keep them for a second. */
export const CACHEABLE = "public, max-age=0, s-maxage=1";
