import { formatPosition, parsePosition } from "../../app/content/list/address.ts";
import { formatSearch, parseSearch } from "../../app/content/search.ts";

const SEARCHED = new Set(["/articles", "/useful-links", "/sample-code"]);

/** The paths of all pages, as app/routes.ts has them. */
export const PAGES: ReadonlySet<string> = new Set(["/", "/profile", ...SEARCHED]);

/** Where every unknown address is rendered, so that all of them share one page. */
const UNKNOWN = "/not-found";

/**
 * Takes a request's path and query, returns the one address that its page is rendered and kept under:
 * only what the page depends on is left, so that no query string makes another page.
 */
export function pageAddress(url: URL): string {
  const path = url.pathname.length > 1 ? url.pathname.replace(/\/+$/, "") : url.pathname;
  if (!PAGES.has(path)) return UNKNOWN;
  return SEARCHED.has(path) ? path + listQuery(url.searchParams) : path;
}

function listQuery(parameters: URLSearchParams): string {
  const kept = new URLSearchParams(formatSearch(parseSearch(parameters)));
  const after = parsePosition(parameters.get("after"));
  if (after) kept.set("after", formatPosition(after));
  return kept.size ? `?${kept}` : "";
}
