import {
  type AuthError,
  type EmailOtpType,
  type GoTrueClient,
  isAuthRetryableFetchError,
  type Session,
} from "@supabase/auth-js";
import type { BackendAddress } from "../../common/data/client.ts";
import { fetchWithTimeout } from "./fetch-with-timeout.ts";
import type { MailLink, NewAccount } from "./mail-link.ts";
import { type InvitedNames, SERVICE_UNREACHABLE } from "./session.ts";

const DEAD_LINK = "This link is invalid or has expired. Please ask for a new one.";
const SIGN_IN_PROBLEMS = new Map([
  ["otp_expired", DEAD_LINK],
  ["access_denied", "The sign-in was cancelled."],
  ["user_banned", "This account is suspended."],
  ["signup_disabled", "Your email address can't be used to sign in here."],
  [
    "provider_email_needs_verification",
    "Your email address isn't verified. Verify it where you signed in, and try again.",
  ],
  [
    "identity_already_exists",
    "Your email address belongs to another account. Please ask the operators of this site to unlink it.",
  ],
]);
const SIGN_IN_FAILED = "The sign-in did not work. Try again in a moment.";
const OTHER_BROWSER = "Please open the link in the browser where you requested it, or request a new one.";

/**
 * Returns a sentence for an error code of the auth service. The error's own text isn't shown: it may be from the link, and
 * an attacker could write anything there.
 */
function problemOf(code: string | undefined): string {
  return SIGN_IN_PROBLEMS.get(code ?? "") ?? SIGN_IN_FAILED;
}

type Preview =
  | {
      email: string;
      /** Only for a link that creates an account: whether its owner chooses a password. */
      setsPassword?: boolean;
      /** Only for an invitation: the names that the operator has entered, or empty texts. */
      names?: InvitedNames;
    }
  | { problem: string };

/**
 * Finds the account that a link belongs to, without using the link up. `verifier` is this browser's PKCE verifier, or
 * null. The email address is empty if neither the backend nor the link reveals it.
 */
export async function previewLink(
  backend: BackendAddress,
  link: MailLink,
  verifier: string | null,
): Promise<Preview> {
  if (link.form === "dead") return { problem: problemOf(link.code) };
  if (link.form === "session") {
    // A link with an attacker's tokens would sign the member in to the attacker's account. Accept session tokens only
    // if this backend's invitations contain them, and only with a `type`, which these invitations always have.
    if (!backend.invitesWithTokens || !link.type) return { problem: DEAD_LINK };
    return { email: emailIn(link.access_token) };
  }
  if (backend.previewsLinks) return requestPreview(backend, link, verifier);
  return link.form === "code" && verifier === null ? { problem: OTHER_BROWSER } : { email: "" };
}

async function requestPreview(
  backend: BackendAddress,
  link: MailLink & { form: "code" | "token" },
  verifier: string | null,
): Promise<Preview> {
  const body =
    link.form === "code"
      ? { auth_code: link.code, code_verifier: verifier ?? "" }
      : { token_hash: link.token_hash, type: link.type };
  const response = await fetchWithTimeout(`${backend.url}/auth/v1/verify/preview`, {
    method: "POST",
    headers: { apikey: backend.key, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  if (response.ok) return response.json();
  if (response.status === 429 || response.status >= 500) return { problem: SERVICE_UNREACHABLE };
  const { error_code } = await response.json();
  return { problem: error_code === "bad_code_verifier" ? OTHER_BROWSER : linkProblem(error_code) };
}

function linkProblem(code: unknown): string {
  return code === "invitation_link_used_up"
    ? "All places of this invitation link are taken. Please ask for a new link."
    : DEAD_LINK;
}

/**
 * Creates the account of a link that an invitation link has sent. Resolves to the account's session, which is null if
 * members sign in only at a provider, or to the error message to show.
 */
export async function join(
  backend: BackendAddress,
  token_hash: string,
  account?: NewAccount,
): Promise<{ session: Pick<Session, "access_token" | "refresh_token"> | null } | { problem: string }> {
  const response = await fetchWithTimeout(`${backend.url}/auth/v1/join`, {
    method: "POST",
    headers: { apikey: backend.key, "Content-Type": "application/json" },
    body: JSON.stringify({ token_hash, ...account }),
  });
  if (response.status === 429 || response.status >= 500) return { problem: SERVICE_UNREACHABLE };
  const body = await response.json();
  if (response.ok) return { session: body.access_token === undefined ? null : body };
  const { error_code, msg } = body;
  if (error_code === "email_exists") return { problem: "You already have an account. Sign in with it." };
  return { problem: response.status === 403 ? linkProblem(error_code) : String(msg) };
}

/** Reads the email address from an access token without verifying its signature. `redeemLink` detects forged tokens. */
function emailIn(accessToken: string): string {
  try {
    const payload = (accessToken.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/");
    return String(JSON.parse(atob(payload)).email ?? "");
  } catch {
    return "";
  }
}

/**
 * Uses up the link. Resolves to the link's session, or to the error message to show.
 *
 * @param email the address that the member saw, or "" if it was unknown. The session's address must be the same: a link
 *   with a forged access token could show the member's address but contain an attacker's refresh token.
 * @param isRecovery false if this browser requested the link's code for a sign-in at a provider
 */
export async function redeemLink(
  client: GoTrueClient,
  link: MailLink,
  email: string,
  isRecovery = true,
): Promise<{ session: Session } | { problem: string }> {
  const {
    data: { session },
    error,
  } = await exchange(client, link);
  if (session) return email === "" || session.user.email === email ? { session } : { problem: DEAD_LINK };
  if (isAuthRetryableFetchError(error)) return { problem: SERVICE_UNREACHABLE };
  if (link.form === "code" && !isRecovery) return { problem: problemOf(error?.code) };
  return { problem: error?.code === "bad_code_verifier" ? OTHER_BROWSER : DEAD_LINK };
}

async function exchange(
  client: GoTrueClient,
  link: MailLink,
): Promise<{ data: { session: Session | null }; error: AuthError | null }> {
  if (link.form === "dead") return { data: { session: null }, error: null };
  if (link.form === "code") return client.exchangeCodeForSession(link.code);
  if (link.form === "session") return client.setSession(link);
  return client.verifyOtp({ token_hash: link.token_hash, type: link.type as EmailOtpType });
}
