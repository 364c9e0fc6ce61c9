export const SESSION_KEY = "techfolio.session";

/** Whether a session that is held here still lives, only the auth service knows. */
export function holdsSession(): boolean {
  try {
    return localStorage.getItem(SESSION_KEY) !== null;
  } catch {
    return false;
  }
}

/** Removes the session from this browser without asking the service; gives back its access token. */
export function takeSession(): string {
  try {
    const session = JSON.parse(localStorage.getItem(SESSION_KEY) ?? "{}") as { access_token?: string };
    localStorage.removeItem(SESSION_KEY);
    return session.access_token ?? "";
  } catch {
    return "";
  }
}
