import type { AuthHandler } from "./auth-env.ts";
import { GoTrueError } from "./auth-error.ts";
import { textField } from "./json-body.ts";

// Sign-up is closed (contract, "Running it"), with the same answer for known and unknown addresses.

export const refuseSignup: AuthHandler = (c) => {
  const isAnonymous = textField(c.var.body, "email") === "" && textField(c.var.body, "phone") === "";
  throw isAnonymous
    ? new GoTrueError(422, "anonymous_provider_disabled", "Anonymous sign-ins are disabled")
    : new GoTrueError(422, "signup_disabled", "Signups not allowed for this instance");
};

export const refuseOtp: AuthHandler = () => {
  throw new GoTrueError(422, "otp_disabled", "Signups not allowed for otp");
};

export const refuseMagicLink: AuthHandler = () => {
  throw new GoTrueError(422, "email_provider_disabled", "Login with magic link is disabled");
};

export const refuseUnknown: AuthHandler = () => {
  throw new GoTrueError(404, "feature_disabled", "This endpoint is not available");
};
