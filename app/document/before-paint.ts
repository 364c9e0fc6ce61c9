import { SESSION_KEY } from "../session/storage.ts";

/** Lets style rules reserve space for the parts that members see. */
export const MARK_STORED_SESSION = `try{localStorage.getItem("${SESSION_KEY}")&&document.documentElement.setAttribute("data-session","")}catch{}`;

/**
 * The server writes dates in UTC. Until hydration, readers in other time zones would see the wrong day.
 * `toLocaleDateString` is slow the first time, because it loads the browser's locale data.
 */
function showLocalDates(): void {
  for (const time of document.querySelectorAll("time")) {
    const [, month, day, year] = new Date(time.dateTime).toDateString().split(" ");
    const date = `${month} ${Number(day)}, ${Number(year)}`;
    // Setting equal text would force another layout.
    if (time.textContent !== date) time.textContent = date;
  }
}

export const SHOW_LOCAL_DATES = `(${showLocalDates})()`;
