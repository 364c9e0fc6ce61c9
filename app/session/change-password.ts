import { type AuthError, GoTrueClient } from "@supabase/auth-js";
import type { Backend } from "../data/client.ts";
import { fetchInTime } from "./fetch-in-time.ts";

let checker: GoTrueClient | undefined;

/**
 * A hosted project ignores `current_password` unless its settings ask for it, so the current password is checked
 * first by a sign-in that is kept nowhere and ended at once.
 */
export async function changePassword(
  client: GoTrueClient,
  backend: Backend,
  current: string,
  next: string,
): Promise<AuthError | null> {
  const { data } = await client.getSession();
  const email = data.session?.user.email;
  if (email) {
    checker ??= createChecker(backend);
    const { error } = await checker.signInWithPassword({ email, password: current });
    if (error) return error;
    await checker.signOut({ scope: "local" });
  }
  const { error } = await client.updateUser({ password: next, current_password: current });
  return error;
}

function createChecker({ url, key }: Backend): GoTrueClient {
  return new GoTrueClient({
    url: `${url}/auth/v1`,
    headers: { apikey: key, Authorization: `Bearer ${key}` },
    storageKey: "techfolio.password-check",
    persistSession: false,
    autoRefreshToken: false,
    detectSessionInUrl: false,
    fetch: fetchInTime,
  });
}
