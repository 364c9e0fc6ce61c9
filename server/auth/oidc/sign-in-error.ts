import * as oidc from "openid-client";
import { errorName } from "../../config/error-message.ts";
import { GoTrueError } from "../auth-error.ts";

const DENIED = new Set(["signup_disabled", "user_banned", "provider_email_needs_verification"]);

/** The error of a rejected person, with a code that GoTrue uses for it. The sign-in form has a sentence for each code. */
export function refusal(code: string, message: string): GoTrueError {
  return new GoTrueError(DENIED.has(code) ? 403 : 422, code, message);
}

/** The part of the exchange with the provider that failed. */
type Step = "discovery" | "authorization" | "token" | "userinfo";

class ProviderError extends Error {
  override readonly name = "ProviderError";
  readonly step: Step;

  constructor(step: Step, cause: unknown) {
    super(`The provider could not be used (${step})`, { cause });
    this.step = step;
  }
}

/** Adds the step to an error of the exchange. */
export async function inStep<Value>(step: Step, work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    throw new ProviderError(step, error);
  }
}

/** Returns the error that openid-client threw. */
export const causeOf = (error: unknown) => (error instanceof ProviderError ? error.cause : error);

const isResponse = (error: unknown) =>
  error instanceof oidc.ResponseBodyError || error instanceof oidc.AuthorizationResponseError;

/** Whether the provider may accept the sign-in without the scope `offline_access`: this client or user may not have it. */
export function isScopeRejection(error: unknown): boolean {
  const cause = causeOf(error);
  return isResponse(cause) && ["invalid_scope", "not_allowed"].includes(cause.error);
}

/**
 * Returns the page with the error in its query and its fragment, as `redirectErrors` in GoTrue's internal/api/external.go
 * does. The texts never contain what the provider or a link says.
 */
export function errorPage(redirectTo: string, error: unknown): string {
  const parameters = new URLSearchParams(describe(causeOf(error)));
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

const MAX_LOGGED_CHARACTERS = 200;

/** A failure in the log. `detail` is the provider's own description, or that of openid-client. */
interface LoggedFailure {
  step?: Step;
  reason: string;
  status?: number;
  detail?: string;
}

/** Returns what to log. */
export function failureOf(error: unknown): LoggedFailure {
  const cause = causeOf(error);
  const at = error instanceof ProviderError ? { step: stepOf(error) } : {};
  if (cause instanceof GoTrueError) return { ...at, reason: cause.code };
  if (isResponse(cause)) {
    const { error: reason, error_description: detail, status } = cause as oidc.ResponseBodyError;
    return {
      ...at,
      reason: cut(reason),
      ...(status !== undefined && { status }),
      ...(detail !== undefined && { detail: cut(detail) }),
    };
  }
  const detail = cause instanceof Error ? detailOf(cause) : "";
  return { ...at, reason: errorName(cause), ...(detail && { detail: cut(detail) }) };
}

/** Joins the messages of an error and its causes with the name of the claim or field that is wrong, or a network code. */
function detailOf(error: Error): string {
  const { message, code, cause }: NodeJS.ErrnoException = error;
  const rest = cause instanceof Error ? detailOf(cause) : fieldIn(cause);
  return [message, code, rest].filter(Boolean).join(": ");
}

/** Returns the name of the wrong claim or field. openid-client also gives the values. They must not reach the log. */
function fieldIn(cause: unknown): string {
  const named = ["claim", "attribute", "header"].map((name) =>
    typeof cause === "object" && cause !== null ? Reflect.get(cause, name) : undefined,
  );
  return String(named.find((name) => typeof name === "string") ?? "");
}

/** The authorization response is checked together with the request for tokens. */
const stepOf = ({ step, cause }: ProviderError): Step =>
  cause instanceof oidc.AuthorizationResponseError ? "authorization" : step;

const cut = (text: string) => text.toWellFormed().slice(0, MAX_LOGGED_CHARACTERS);
