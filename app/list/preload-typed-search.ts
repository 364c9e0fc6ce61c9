import { KINDS } from "../../common/kinds/index.ts";
import { SEARCH_PAUSE_MS } from "./search-params.ts";

/**
 * Preloads the results of a search that is typed into a list before hydration. React then requests the same URL, and
 * shows the results a round trip earlier.
 */
function preloadTypedSearch(paths: string[], pauseMs: number): void {
  let timer: ReturnType<typeof setTimeout>;
  let link: HTMLLinkElement | undefined;
  function preload(form: HTMLFormElement): void {
    const { pathname, search } = location;
    const query = new URLSearchParams();
    for (const [name, value] of new FormData(form)) {
      const text = String(value).trim();
      const isDefault = text === "" || (name === "sort" && text === "desc");
      if (!isDefault) query.set(name, text);
    }
    if (!paths.includes(pathname) || query.size === 0 || `?${query}` === search) return;
    query.set("_routes", pathname.slice(1));
    link = document.createElement("link");
    Object.assign(link, { rel: "preload", as: "fetch", crossOrigin: "anonymous" });
    link.href = `${pathname}.data?${query}`;
    document.head.append(link);
  }
  addEventListener("input", ({ target }) => {
    clearTimeout(timer);
    // Hydration removes this element.
    const isHydrated = () => !document.querySelector(".start-help");
    if (isHydrated()) return;
    // A preloaded response is kept until it is read. If the text is typed again later, the response is out of date.
    if (link) void fetch(link.href).catch(() => undefined);
    link = undefined;
    const form = target instanceof HTMLInputElement && target.closest<HTMLFormElement>("search form");
    if (form) timer = setTimeout(() => isHydrated() || preload(form), pauseMs);
  });
}

export const PRELOAD_TYPED_SEARCH = `(${preloadTypedSearch})(${JSON.stringify(KINDS.map(({ path }) => path))},${SEARCH_PAUSE_MS})`;
