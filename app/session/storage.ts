import type { Session, User } from "@supabase/auth-js";

export const SESSION_KEY = "techfolio.session";

/** Returns null if the entry is missing or storage is unavailable. */
function readStorage(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Whether a session is stored. It may no longer be valid. */
export const holdsSession = () => readStorage(SESSION_KEY) !== null;

/** The key for the id of a member who signed in with a recovery or invitation link and still needs a password. */
const PASSWORD_DUE_KEY = "techfolio.password-due";

/** The id of the member who still needs a password. It is kept here only if storage is unavailable. */
let passwordDue: string | null = null;

export const needsPassword = (userId: string) => userId === (passwordDue ?? readStorage(PASSWORD_DUE_KEY));

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

/** The key for a member's id. This browser last read that member's profile without a name. */
const NAMELESS_KEY = "techfolio.nameless";

/** Whether the member has no name, as far as this browser knows. It learns that on /profile. */
export const isNameless = (userId: string) => userId === readStorage(NAMELESS_KEY);

export function rememberNameless(userId: string): void {
  try {
    localStorage.setItem(NAMELESS_KEY, userId);
  } catch {}
}

export function forgetNameless(): void {
  try {
    localStorage.removeItem(NAMELESS_KEY);
  } catch {}
}

/** Whether the member can sign in with a password. Other members can sign in only at an identity provider. */
export function hasPassword({ app_metadata }: Pick<User, "app_metadata">): boolean {
  const providers: unknown = app_metadata?.["providers"];
  return !Array.isArray(providers) || providers.includes("email");
}

export const isOperator = ({ app_metadata }: Pick<User, "app_metadata">) =>
  app_metadata?.["role"] === "operator";

interface StoredMember {
  userId: string;
  email: string;
  hasPassword: boolean;
  isOperator: boolean;
}

/** Returns the member of the stored session, or null if there is none or if it has expired. */
export function storedMember(): StoredMember | null {
  try {
    const { user, expires_at: seconds }: Partial<Session> = JSON.parse(readStorage(SESSION_KEY) ?? "{}");
    return user && seconds && seconds * 1_000 > Date.now()
      ? {
          userId: user.id,
          email: user.email ?? "",
          hasPassword: hasPassword(user),
          isOperator: isOperator(user),
        }
      : null;
  } catch {
    return null;
  }
}
