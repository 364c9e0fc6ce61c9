import type { Session } from "@supabase/auth-js";

export const SESSION_KEY = "techfolio.session";

/** Null as well where the browser stores nothing, or cannot read what it has stored. */
function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Whether a session that is held here still lives, only the auth service knows. */
export const holdsSession = () => stored(SESSION_KEY) !== null;

/** Holds the id of a member who came by a recovery or invitation link and has not chosen a password yet. */
const PASSWORD_DUE_KEY = "techfolio.password-due";

/** Of a browser that stores nothing, until the page is left. */
let unstored: string | null = null;

export const needsPassword = (userId: string) => userId === (unstored ?? stored(PASSWORD_DUE_KEY));

export function requirePassword(userId: string): void {
  try {
    localStorage.setItem(PASSWORD_DUE_KEY, userId);
  } catch {
    unstored = userId;
  }
}

export function requireNoPassword(): void {
  unstored = null;
  try {
    localStorage.removeItem(PASSWORD_DUE_KEY);
  } catch {}
}

/** Null where the session has run out or is none. */
export function storedMember(): { userId: string; email: string } | null {
  try {
    const { user, expires_at: seconds }: Partial<Session> = JSON.parse(stored(SESSION_KEY) ?? "{}");
    return user && seconds && seconds * 1_000 > Date.now()
      ? { userId: user.id, email: user.email ?? "" }
      : null;
  } catch {
    return null;
  }
}
