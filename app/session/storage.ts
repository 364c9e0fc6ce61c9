import type { Session } from "@supabase/auth-js";
import { browserStorage } from "../ui/browser-storage.ts";

export const SESSION_KEY = "techfolio.session";

/** Whether a session that is held here still lives, only the auth service knows. */
export const holdsSession = () => Boolean(browserStorage()?.getItem(SESSION_KEY));

/** Holds the id of a member who came by a recovery or invitation link and has not chosen a password yet. */
const PASSWORD_DUE_KEY = "techfolio.password-due";

/** Of a browser that stores nothing, until the page is left. */
let unstored: string | null = null;

export const needsPassword = (userId: string) =>
  userId === (unstored ?? browserStorage()?.getItem(PASSWORD_DUE_KEY));

export function requirePassword(userId: string): void {
  try {
    localStorage.setItem(PASSWORD_DUE_KEY, userId);
  } catch {
    unstored = userId;
  }
}

export function requireNoPassword(): void {
  unstored = null;
  browserStorage()?.removeItem(PASSWORD_DUE_KEY);
}

/** Null where the session has run out or is none. */
export function storedMember(): { userId: string; email: string } | null {
  try {
    const { user, expires_at: seconds }: Partial<Session> = JSON.parse(
      localStorage.getItem(SESSION_KEY) ?? "{}",
    );
    return user && seconds && seconds * 1_000 > Date.now()
      ? { userId: user.id, email: user.email ?? "" }
      : null;
  } catch {
    return null;
  }
}
