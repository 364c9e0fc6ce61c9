import * as oidc from "openid-client";
import { errorName } from "../../config/error-message.ts";
import { GoTrueError } from "../auth-error.ts";

const DENIED = new Set(["signup_disabled", "user_banned", "provider_email_needs_verification"]);

/** The error of a rejected person, with a code that GoTrue uses for it. The sign-in form has a sentence for each code. */
export function refusal(code: string, message: string): GoTrueError {
  return new GoTrueError(DENIED.has(code) ? 403 : 422, code, message);
}

/**
 * Returns the page with the error in its query and its fragment, as `redirectErrors` in GoTrue's internal/api/external.go
 * does. The texts never contain what the provider or a link says.
 */
export function errorPage(redirectTo: string, error: unknown): string {
  const parameters = new URLSearchParams(describe(error));
  const page = new URL(redirectTo);
  for (const [name, value] of parameters) page.searchParams.set(name, value);
  page.hash = parameters.toString();
  return page.href;
}

function describe(error: unknown): Record<string, string> {
  if (error instanceof oidc.AuthorizationResponseError && error.error === "access_denied")
    return { error: "access_denied", error_description: "The sign-in at the provider was cancelled" };
  const { status, code, message } =
    error instanceof GoTrueError
      ? error
      : new GoTrueError(502, "unexpected_failure", "The provider could not be used to sign in");
  const kind = DENIED.has(code) ? "access_denied" : status >= 500 ? "server_error" : "invalid_request";
  return { error: kind, error_code: code, error_description: message };
}

/** Returns what to log: a code, and never the provider's texts. */
export function reasonOf(error: unknown): string {
  if (error instanceof GoTrueError) return error.code;
  if (error instanceof oidc.ResponseBodyError || error instanceof oidc.AuthorizationResponseError)
    return error.error.slice(0, 100);
  return errorName(error);
}
