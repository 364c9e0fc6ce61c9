import { type GoTrueClient, isAuthRetryableFetchError } from "@supabase/auth-js";
import { fetchInTime } from "./fetch-in-time.ts";

/**
 * Takes the auth client and the public key, returns a fetch that carries the token of the moment: auth-js renews
 * one that has run out. A 401 means that the session may have been ended elsewhere: one renewal decides, and
 * where it is refused this browser is signed out, so that the page says what is true.
 */
export function createMemberFetch(client: GoTrueClient, publicKey: string): typeof fetch {
  const send = (input: RequestInfo | URL, init: RequestInit | undefined, token: string) => {
    const headers = new Headers(init?.headers);
    headers.set("Authorization", `Bearer ${token}`);
    return fetchInTime(input, { ...init, headers });
  };

  return async (input, init) => {
    const { data } = await client.getSession();
    const answer = await send(input, init, data.session?.access_token ?? publicKey);
    if (answer.status !== 401 || !data.session) return answer;

    const renewal = await client.refreshSession();
    if (renewal.data.session) return send(input, init, renewal.data.session.access_token);
    if (!isAuthRetryableFetchError(renewal.error)) await client.signOut({ scope: "local" });
    return answer;
  };
}
