import { AuthApiError, AuthRetryableFetchError } from "@supabase/auth-js";
import { expect, test } from "vitest";
import { additionProblem, isAfterChoice, signInProblem } from "./passkey-problems.ts";
import { SERVICE_UNREACHABLE } from "./session.ts";

const api = (code: string, message = "x") => new AuthApiError(message, 400, code);
/** What auth-js makes of an error that the browser throws. */
const browser = (name: string, code = "ERROR_PASSTHROUGH_SEE_CAUSE_PROPERTY") => ({
  name,
  code,
  message: "x",
});

test("each way in which a passkey can fail has a sentence of its own", () => {
  const sentences = [
    signInProblem(browser("NotAllowedError")),
    signInProblem(browser("SecurityError", "ERROR_INVALID_RP_ID")),
    signInProblem(api("webauthn_challenge_expired")),
    signInProblem(api("webauthn_verification_failed")),
    signInProblem(api("passkey_disabled")),
    signInProblem(browser("AuthUnknownError", undefined)),
    additionProblem(browser("NotAllowedError")),
    additionProblem(api("too_many_passkeys")),
    additionProblem(api("reauthentication_needed")),
    additionProblem(api("webauthn_credential_exists")),
    additionProblem(api("webauthn_verification_failed")),
    additionProblem(browser("ConstraintError", "ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT")),
  ];
  expect(new Set(sentences).size).toBe(sentences.length);
  expect(sentences.filter((sentence) => !sentence.endsWith("."))).toEqual([]);
  expect(additionProblem(browser("InvalidStateError", "ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED"))).toBe(
    additionProblem(api("webauthn_credential_exists")),
  );
});

test("a suspension, and an unknown error of the service, are shown as the service words them", () => {
  const suspended = "This account is suspended until July 1, 2027";
  expect(signInProblem(api("user_banned", suspended))).toBe(suspended);
  expect(signInProblem(api("user_banned", "User is banned"))).toBe("This account is suspended");
  expect(signInProblem(api("over_request_rate_limit", "Request rate limit reached"))).toBe(
    "Request rate limit reached",
  );
  expect(signInProblem(new AuthRetryableFetchError("x", 0))).toBe(SERVICE_UNREACHABLE);
});

test("the email field's own list shows only what happens after a choice", () => {
  expect(isAfterChoice(api("webauthn_verification_failed"))).toBe(true);
  expect(isAfterChoice(api("user_banned"))).toBe(true);
  expect(isAfterChoice(api("email_not_confirmed"))).toBe(true);
  expect(isAfterChoice(browser("AbortError", "ERROR_CEREMONY_ABORTED"))).toBe(false);
  expect(isAfterChoice(api("over_request_rate_limit"))).toBe(false);
  expect(isAfterChoice(new AuthRetryableFetchError("x", 0))).toBe(false);
});
