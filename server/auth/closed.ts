import type { Context } from "hono";
import { GoTrueError } from "./auth-error.ts";
import type { AuthEnv } from "./guards.ts";
import { readBody, textField } from "./json-body.ts";

// Every way by which somebody could make himself an account, or sign in by other means than a password or a
// link that he was sent, answers that it is closed; the same for known and unknown addresses (contract, 'Running it').

/** `POST /signup`, with an e-mail or anonymously. */
export async function refuseSignup(c: Context<AuthEnv>): Promise<Response> {
  const body = await readBody(c);
  if (textField(body, "email") === "" && textField(body, "phone") === "") {
    throw new GoTrueError(422, "anonymous_provider_disabled", "Anonymous sign-ins are disabled");
  }
  throw new GoTrueError(422, "signup_disabled", "Signups not allowed for this instance");
}

/** `POST /otp` and `POST /resend`. */
export function refuseOtp(): Response {
  throw new GoTrueError(422, "otp_disabled", "Signups not allowed for otp");
}

/** `POST /magiclink`. */
export function refuseMagicLink(): Response {
  throw new GoTrueError(422, "email_provider_disabled", "Login with magic link is disabled");
}

/** `POST /sso`. */
export function refuseSso(): Response {
  throw new GoTrueError(404, "saml_provider_disabled", "SAML 2.0 is disabled");
}

/** `GET /authorize`. */
export function refuseProvider(): Response {
  throw new GoTrueError(400, "validation_failed", "Unsupported provider: provider is not enabled");
}

/** Everything else of Supabase's auth service. */
export function refuseUnknown(): Response {
  throw new GoTrueError(404, "feature_disabled", "This endpoint is not available");
}
