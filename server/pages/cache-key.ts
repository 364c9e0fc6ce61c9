import { parseCursor } from "../../app/content/list/page.ts";
import { formatSearch, parseSearch } from "../../app/content/search/search.ts";
import { isSegment, isUuid } from "../../app/data/addresses.ts";

export interface CacheKey {
  /** A path with the part of the query that matters, so that no other query makes a second answer. */
  address: string;
  /** One of a handful of addresses: made once for everybody, hence never queued or refused. */
  isFixed: boolean;
  isFresh?: boolean;
}

const SEARCHED = new Set(["/articles", "/useful-links", "/sample-code"]);

export const PAGES: ReadonlySet<string> = new Set(["/", "/profile", ...SEARCHED]);

const UNKNOWN: CacheKey = { address: "/not-found", isFixed: true };

export function pageKey(path: string, query: URLSearchParams): CacheKey {
  const page = path.length > 1 ? path.replace(/\/+$/, "") : path;
  if (ITEM.test(page)) return { address: page.toLowerCase(), isFixed: false };
  if (isPerson(page)) return { address: page, isFixed: false };
  if (!PAGES.has(page)) return UNKNOWN;
  const kept = SEARCHED.has(page) ? listQuery(query) : "";
  return { address: page + kept, isFixed: kept === "" };
}

export const pathKey = (path: string): CacheKey => ({ address: path, isFixed: false });
export const fixedKey = (path: string): CacheKey => ({ address: path, isFixed: true });

/** What a page asks for after it was loaded is never old. */
export const dataKey = (path: string, query: URLSearchParams): CacheKey => ({
  address: query.size > 0 ? `${path}?${query}` : path,
  isFixed: false,
  isFresh: true,
});

const ITEM = /^\/(articles|useful-links|sample-code)\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function isPerson(path: string): boolean {
  const segment = /^\/profile\/([^/]+)$/.exec(path)?.[1];
  return isSegment(segment) || isUuid(segment ?? "");
}

/** There is no end of addresses that name no row: their pages are not kept. */
export const namesRow = (address: string) => ITEM.test(address) || isPerson(address);

function listQuery(parameters: URLSearchParams): string {
  const after = parameters.get("after") ?? "";
  const around = parameters.get("around") ?? "";
  const place = { after: parseCursor(after) && after, around: isUuid(around) && around };
  return formatSearch(parseSearch(parameters), place);
}
