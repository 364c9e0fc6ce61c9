import { isAuthApiError, isAuthRetryableFetchError } from "@supabase/auth-js";
import { SERVICE_UNREACHABLE } from "./session.ts";

interface Failure {
  name: string;
  /** One of GoTrue's codes, or of auth-js's WebAuthnErrorCode. */
  code?: string | undefined;
  message: string;
}

type Problem = string | ((failure: Failure) => string);

const WRONG_PLACE = "This site's passkeys don't work at this address.";
const EXPIRED = "That took longer than five minutes. Try again.";

const COMMON: Record<string, Problem> = {
  ERROR_INVALID_DOMAIN: WRONG_PLACE,
  ERROR_INVALID_RP_ID: WRONG_PLACE,
  webauthn_challenge_expired: EXPIRED,
  webauthn_challenge_not_found: EXPIRED,
  passkey_disabled: "This site has no passkeys.",
};

const SIGN_IN: Record<string, Problem> = {
  ...COMMON,
  NotAllowedError:
    "You were not signed in: the request was canceled, or this device has no passkey for this site.",
  webauthn_verification_failed: "This site doesn't know that passkey. It may have been deleted.",
  webauthn_credential_not_found: "This site doesn't know that passkey. It may have been deleted.",
  user_banned: ({ message }) => (/banned/.test(message) ? "This account is suspended" : message),
};

const SAME_DEVICE = "This device already has a passkey for your account.";
const UNSUITABLE =
  "This device can't be used: it must store passkeys and verify you, for example with a PIN.";

const ADDITION: Record<string, Problem> = {
  ...COMMON,
  NotAllowedError: "No passkey was added: the request was canceled or took too long.",
  ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED: SAME_DEVICE,
  webauthn_credential_exists: SAME_DEVICE,
  ERROR_AUTHENTICATOR_MISSING_DISCOVERABLE_CREDENTIAL_SUPPORT: UNSUITABLE,
  ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT: UNSUITABLE,
  ERROR_AUTHENTICATOR_NO_SUPPORTED_PUBKEYCREDPARAMS_ALG: UNSUITABLE,
  webauthn_verification_failed: "That passkey can't be used here. Try another device.",
  reauthentication_needed: "No passkey was added, because you did not sign in again.",
  too_many_passkeys: "You have ten passkeys, the most that are possible. Delete one first.",
};

function describe(problems: Record<string, Problem>, failure: Failure): string {
  if (isAuthRetryableFetchError(failure)) return SERVICE_UNREACHABLE;
  const problem = problems[failure.code ?? ""] ?? problems[failure.name];
  if (typeof problem === "string") return problem;
  if (problem) return problem(failure);
  if (isAuthApiError(failure)) return failure.message;
  return "This device or browser could not use a passkey.";
}

/** Returns the sentence for a sign-in with a passkey that failed or was canceled. */
export const signInProblem = (failure: Failure) => describe(SIGN_IN, failure);
/** Returns the sentence for a passkey that was not added. */
export const additionProblem = (failure: Failure) => describe(ADDITION, failure);

/** Whether the visitor had already chosen a passkey when a sign-in failed. */
export const isAfterChoice = ({ code = "" }: Failure) =>
  code.startsWith("webauthn_") || code === "user_banned" || code === "email_not_confirmed";
