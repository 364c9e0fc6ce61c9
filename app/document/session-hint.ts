import { SESSION_KEY } from "../session/storage.ts";

/** Keeps the member's places free before the first paint, so that nothing moves when they are filled. */
export const SESSION_HINT = `try{localStorage.getItem("${SESSION_KEY}")&&document.documentElement.setAttribute("data-session","")}catch{}`;
