import type { AuthError, GoTrueClient } from "@supabase/auth-js";
import type { Backend } from "../data/client.ts";
import { checkingClient } from "./clients.ts";

let checker: GoTrueClient | undefined;

/** Signs in first: a hosted project ignores `current_password` unless its settings ask for it. */
export async function changePassword(
  client: GoTrueClient,
  backend: Backend,
  current: string,
  next: string,
): Promise<AuthError | null> {
  const { data } = await client.getSession();
  const email = data.session?.user.email;
  if (email) {
    checker ??= checkingClient(backend);
    const { error } = await checker.signInWithPassword({ email, password: current });
    if (error) return error;
    await checker.signOut({ scope: "local" });
  }
  const { error } = await client.updateUser({ password: next, current_password: current });
  return error;
}
