import { KINDS } from "../../common/kinds/index.ts";
import { DRAFTS } from "../drafts/draft-keys.ts";
import { SEARCH_PAUSE_MS } from "../list/search-params.ts";
import { SESSION_KEY } from "../session/storage.ts";
import { toLocalDate } from "../ui/local-date.tsx";

/**
 * Marks the document if a session or a draft is stored, so that CSS can reserve space for content that only members see.
 */
const MARK_STORED_SESSION = `try{const d=document.documentElement;localStorage.getItem("${SESSION_KEY}")&&d.setAttribute("data-session","");Object.keys(localStorage).some((k)=>k.startsWith("${DRAFTS}"))&&d.setAttribute("data-drafts","")}catch{}`;

/**
 * Gives the history entry the index that React Router would otherwise write during hydration, and a key, because
 * `<ScrollRestoration>` would otherwise replace the state with one that has no index. In WebKit, a call of
 * `replaceState` cancels a navigation that the browser has started, such as one from the address bar.
 */
const INDEX_ENTRY = `history.state?.idx??history.replaceState({key:Math.random().toString(32).slice(2),...history.state,idx:0},"")`;

/**
 * Replaces the server's UTC dates with local ones, because readers in other time zones could see the wrong day until
 * hydration. A date without a time of day is the same everywhere.
 */
function showLocalDates(format: typeof toLocalDate): void {
  for (const time of document.querySelectorAll<HTMLTimeElement>('time[datetime*="T"]')) {
    const date = format(new Date(time.dateTime));
    // Setting the same text again would force another layout.
    if (time.textContent !== date) time.textContent = date;
  }
}

const SHOW_LOCAL_DATES = `(${showLocalDates})(${toLocalDate})`;

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

const PRELOAD_TYPED_SEARCH = `(${preloadTypedSearch})(${JSON.stringify(KINDS.map(({ path }) => path))},${SEARCH_PAUSE_MS})`;

/** Scripts that run while the browser parses the document, at the end of its head and of its body. */
export const INLINE_SCRIPTS = {
  head: `${MARK_STORED_SESSION};${INDEX_ENTRY};${PRELOAD_TYPED_SEARCH}`,
  body: SHOW_LOCAL_DATES,
};
