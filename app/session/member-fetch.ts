import { type GoTrueClient, isAuthRetryableFetchError } from "@supabase/auth-js";
import { fetchWithTimeout } from "./fetch-with-timeout.ts";

/**
 * Returns a `fetch` that sends the member's access token or, without a session, the public key. If a member's request
 * gets a 401, it refreshes the session and retries once. If the refresh is rejected, it signs this browser out.
 */
export function createMemberFetch(client: GoTrueClient, publicKey: string): typeof fetch {
  const send = (input: RequestInfo | URL, init: RequestInit | undefined, token: string) => {
    const headers = new Headers(init?.headers);
    headers.set("Authorization", `Bearer ${token}`);
    return fetchWithTimeout(input, { ...init, headers });
  };

  return async (input, init) => {
    const { data } = await client.getSession();
    const response = await send(input, init, data.session?.access_token ?? publicKey);
    if (response.status !== 401 || !data.session) return response;

    const renewal = await client.refreshSession();
    if (renewal.data.session) return send(input, init, renewal.data.session.access_token);
    if (!isAuthRetryableFetchError(renewal.error)) await client.signOut({ scope: "local" });
    return response;
  };
}
