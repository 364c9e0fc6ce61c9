import { KINDS } from "../../common/kinds/index.ts";

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
