import type { Session } from "@supabase/auth-js";

export const SESSION_KEY = "techfolio.session";

/** Whether a session that is held here still lives, only the auth service knows. */
export function holdsSession(): boolean {
  try {
    return localStorage.getItem(SESSION_KEY) !== null;
  } catch {
    return false;
  }
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
