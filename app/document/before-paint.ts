import { DRAFTS } from "../drafts/draft-keys.ts";
import { SESSION_KEY } from "../session/storage.ts";
import { toLocalDate } from "../ui/local-date.tsx";
import { MARK_LOADED_FONTS } from "./use-fonts.ts";

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

/** Scripts that run while the browser parses the document, at the end of its head and of its body. */
export const INLINE_SCRIPTS = {
  head: `${MARK_STORED_SESSION};${MARK_LOADED_FONTS};${INDEX_ENTRY}`,
  body: SHOW_LOCAL_DATES,
};
