/** Local storage key of the session (contract, Names). */
export const SESSION_KEY = "techfolio.session";

/** Returns whether this browser holds a session; whether it still lives, only the auth service knows. */
export function holdsSession(): boolean {
  try {
    return localStorage.getItem(SESSION_KEY) !== null;
  } catch {
    return false;
  }
}

/** Forgets the session of this browser without asking anybody. */
export function forgetSession(): void {
  try {
    localStorage.removeItem(SESSION_KEY);
  } catch {
    // Where nothing can be stored, nothing is.
  }
}
