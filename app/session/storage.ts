import type { Session } from "@supabase/auth-js";

export const SESSION_KEY = "techfolio.session";

/** Returns null if storage is unavailable. */
export function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Only the auth service knows whether the stored session is still valid. */
export const holdsSession = () => stored(SESSION_KEY) !== null;

/** Contains the id of a member who signed in by a recovery or invitation link and has not chosen a password yet. */
const PASSWORD_DUE_KEY = "techfolio.password-due";

/** Used if storage is unavailable. */
let passwordDue: string | null = null;

export const needsPassword = (userId: string) => userId === (passwordDue ?? stored(PASSWORD_DUE_KEY));

export function requirePassword(userId: string): void {
  try {
    localStorage.setItem(PASSWORD_DUE_KEY, userId);
  } catch {
    passwordDue = userId;
  }
}

export function requireNoPassword(): void {
  passwordDue = null;
  try {
    localStorage.removeItem(PASSWORD_DUE_KEY);
  } catch {}
}

/** Returns null without a session, or if it has expired. */
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
