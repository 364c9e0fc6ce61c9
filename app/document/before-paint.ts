import { SESSION_KEY } from "../session/storage.ts";

/** Marks the document if a session is stored, so that CSS can reserve space for content that only members see. */
export const MARK_STORED_SESSION = `try{localStorage.getItem("${SESSION_KEY}")&&document.documentElement.setAttribute("data-session","")}catch{}`;

/**
 * Replaces the server's UTC dates with local ones, because readers in other time zones would see the wrong day until
 * hydration. Avoids `toLocaleDateString`, whose first call is slow because it loads locale data.
 */
function showLocalDates(): void {
  for (const time of document.querySelectorAll("time")) {
    const [, month, day, year] = new Date(time.dateTime).toDateString().split(" ");
    const date = `${month} ${Number(day)}, ${Number(year)}`;
    // Setting the same text again would force another layout.
    if (time.textContent !== date) time.textContent = date;
  }
}

export const SHOW_LOCAL_DATES = `(${showLocalDates})()`;
