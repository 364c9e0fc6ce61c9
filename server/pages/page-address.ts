import type { MiddlewareHandler } from "hono";
import { KINDS } from "../../common/kinds/index.ts";

/** Characters that a path never needs to encode (RFC 3986, §2.3). */
const UNRESERVED = /%(2D|2E|3\d|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])/gi;

/**
 * Redirects other spellings of a page's path, such as `/%61rticles` and `/articles/`, to the one that the page's code,
 * its limits and the browser compare with.
 */
export const redirectToCanonicalPath: MiddlewareHandler = async (c, next) => {
  const { pathname, search } = new URL(c.req.url);
  const canonical = canonicalPath(pathname);
  return canonical === pathname ? next() : c.redirect(canonical + search, 301);
};

export function canonicalPath(path: string): string {
  const decoded = path.replace(UNRESERVED, decodeURIComponent);
  // A path that starts with two slashes would redirect to another host.
  const single = decoded.replace(/\/{2,}/g, "/");
  // React Router requests the data of `/articles/` at `/articles/_.data`.
  return single.replace(/(?<=.)\/$/, "").replace(/(?<=.)(\/_)+(?=\.data$)/, "");
}

const PAGING = ["after", "pages"];

/** The query parameters that pages read on the server. Other pages read none. */
export const PAGE_PARAMETERS: Record<string, readonly string[]> = {
  ...Object.fromEntries(KINDS.map(({ path }) => [path, ["q", "author", "sort", "around", ...PAGING]])),
  "/people": ["q", "category", "sort", ...PAGING],
  "/search": ["q", "kind", ...PAGING],
};

const MAIN_PAGES = new Set(["/", ...Object.keys(PAGE_PARAMETERS), "/feed.xml", "/sitemap.xml"]);

/**
 * Returns the path and the query of a URL without the parameters that its page doesn't know. Clients can add any number
 * of those, and each would otherwise be rendered and cached on its own. Keeps the parameters of page data (`.data`).
 */
export function pageAddress({ pathname, search }: Pick<URL, "pathname" | "search">): string {
  if (search === "" || pathname.endsWith(".data")) return pathname + search;
  const known = (Object.hasOwn(PAGE_PARAMETERS, pathname) && PAGE_PARAMETERS[pathname]) || [];
  const parts = search.slice(1).split("&");
  const kept = parts.filter((part) => known.some((name) => new URLSearchParams(part).has(name)));
  return pathname + (kept.length > 0 ? `?${kept.join("&")}` : "");
}

export const isMainPage = (address: string) => MAIN_PAGES.has(address);
