export const SESSION_KEY = "techfolio.session";

/** Whether a session that is held here still lives, only the auth service knows. */
export function holdsSession(): boolean {
  try {
    return localStorage.getItem(SESSION_KEY) !== null;
  } catch {
    return false;
  }
}

interface StoredSession {
  access_token?: string;
  /** Seconds since 1970. */
  expires_at?: number;
  user?: { id: string; email?: string };
}

const readSession = () => JSON.parse(localStorage.getItem(SESSION_KEY) ?? "{}") as StoredSession;

/** Null where the session has run out or is none. */
export function storedMember(): { userId: string; email: string } | null {
  try {
    const { user, expires_at = 0 } = readSession();
    return user && expires_at * 1_000 > Date.now() ? { userId: user.id, email: user.email ?? "" } : null;
  } catch {
    return null;
  }
}

export function takeSession(): string {
  try {
    const session = readSession();
    localStorage.removeItem(SESSION_KEY);
    return session.access_token ?? "";
  } catch {
    return "";
  }
}
