import {
  type AuthError,
  type EmailOtpType,
  type GoTrueClient,
  isAuthRetryableFetchError,
  type Session,
} from "@supabase/auth-js";
import { NO_ANSWER } from "./session.ts";

const DEAD_LINK = "This link is invalid or has expired. Please ask for a new one.";
const OTHER_BROWSER = "Please open the link in the browser in which you asked for it, or ask for a new one.";

export interface Redeemed {
  session: Session;
  needsPassword: boolean;
}

type Redemption = Redeemed | { problem: string };

/** A session in the link counts only where the backend invites with one: anyone can write a link with their own. */
export async function redeemLink(
  client: GoTrueClient,
  link: URLSearchParams,
  invitesWithTokens = false,
): Promise<Redemption> {
  const get = (name: string) => link.get(name) ?? "";
  if (get("error_code") || get("error_description")) return { problem: DEAD_LINK };
  if (get("code")) {
    const answer = await client.exchangeCodeForSession(get("code"));
    // Documented, but not among its types.
    return outcome(answer, "redirectType" in answer.data && answer.data.redirectType === "recovery");
  }
  const type = get("type") as EmailOtpType;
  const needsPassword = type === "invite" || type === "recovery";
  if (get("token_hash")) {
    return outcome(await client.verifyOtp({ token_hash: get("token_hash"), type }), needsPassword);
  }
  if (!invitesWithTokens || !type) return { problem: DEAD_LINK };
  const [access_token, refresh_token] = [get("access_token"), get("refresh_token")];
  return outcome(await client.setSession({ access_token, refresh_token }), needsPassword);
}

interface Answer {
  data: { session: Session | null };
  error: AuthError | null;
}

function outcome({ data: { session }, error }: Answer, needsPassword: boolean): Redemption {
  if (session) return { session, needsPassword };
  if (isAuthRetryableFetchError(error)) return { problem: NO_ANSWER };
  return { problem: error?.code === "bad_code_verifier" ? OTHER_BROWSER : DEAD_LINK };
}
