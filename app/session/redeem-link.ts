import {
  type AuthError,
  type GoTrueClient,
  isAuthRetryableFetchError,
  type Session,
} from "@supabase/auth-js";
import type { AuthAnswer } from "./auth-answer.ts";
import { NO_ANSWER } from "./session.ts";

const DEAD_LINK = "This link is invalid or has expired. Please ask for a new one.";
const OTHER_BROWSER = "Please open the link in the browser in which you asked for it, or ask for a new one.";

export type Redemption = { session: Session; needsPassword: boolean } | { problem: string };

export async function redeemLink(client: GoTrueClient, answer: AuthAnswer): Promise<Redemption> {
  switch (answer.kind) {
    case "failure":
      return { problem: DEAD_LINK };
    case "code": {
      let isRecovery = false;
      const { data: listening } = client.onAuthStateChange((event) => {
        isRecovery ||= event === "PASSWORD_RECOVERY";
      });
      const { data, error } = await client.exchangeCodeForSession(answer.code);
      listening.subscription.unsubscribe();
      return outcome(data.session, error, isRecovery);
    }
    case "link": {
      const { tokenHash: token_hash, type } = answer;
      const { data, error } = await client.verifyOtp({ token_hash, type });
      return outcome(data.session, error, asksForPassword(type));
    }
    case "tokens": {
      const { accessToken: access_token, refreshToken: refresh_token, type } = answer;
      const { data, error } = await client.setSession({ access_token, refresh_token });
      return outcome(data.session, error, asksForPassword(type));
    }
  }
}

function outcome(session: Session | null, error: AuthError | null, needsPassword: boolean): Redemption {
  if (session) return { session, needsPassword };
  if (isAuthRetryableFetchError(error)) return { problem: NO_ANSWER };
  return { problem: error?.code === "pkce_code_verifier_not_found" ? OTHER_BROWSER : DEAD_LINK };
}

function asksForPassword(type: string): boolean {
  return type === "invite" || type === "recovery";
}
