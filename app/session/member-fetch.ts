import { type GoTrueClient, isAuthRetryableFetchError } from "@supabase/auth-js";
import { fetchInTime } from "../data/fetch-in-time.ts";

/** After a 401, refreshes the session once and retries. If the refresh is rejected, signs this browser out. */
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
