import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { AuthenticationError } from "../api/access-token.ts";
import { BodyTooLargeError, BodyTooSlowError } from "../api/api-errors.ts";
import { RetryLaterError } from "../http/retry-later-error.ts";
import { classifyFailure, type FailureClass, SessionEndedError } from "../postgres/database.ts";

/** An error response with a status, a code and a message, like those in GoTrue's internal/api/apierrors. */
export class GoTrueError extends Error {
  override readonly name = "GoTrueError";
  readonly status: ContentfulStatusCode;
  readonly code: string;
  readonly retryAfterSeconds: number | undefined;

  constructor(status: ContentfulStatusCode, code: string, message: string, retryAfterSeconds?: number) {
    super(message);
    this.status = status;
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export function invalid(message: string): GoTrueError {
  return new GoTrueError(400, "validation_failed", message);
}

export function invalidCredentials(): GoTrueError {
  return new GoTrueError(400, "invalid_credentials", "Invalid login credentials");
}

/** The response with PASSWORD_SIGN_IN=off. */
export function passwordsDisabled(): GoTrueError {
  return new GoTrueError(422, "email_provider_disabled", "Email logins are disabled");
}

/** A suspension without an end is stored as one of a hundred years. */
const LAST_KNOWN_END_MS = 50 * 365 * 24 * 60 * 60 * 1_000;

export function suspensionText(until: Date | null): string {
  const isEndless = until === null || until.getTime() - Date.now() > LAST_KNOWN_END_MS;
  const end = isEndless
    ? ""
    : ` until ${until.toLocaleDateString("en", { dateStyle: "long", timeZone: "UTC" })}`;
  return `This account is suspended${end}`;
}

export function tooManyRequests(waitMs: number): GoTrueError {
  const seconds = Math.ceil(waitMs / 1000);
  return new GoTrueError(429, "over_request_rate_limit", "Request rate limit reached", seconds);
}

/**
 * If the refresh of a session gets 429 or 507 (disk full), auth-js doesn't retry it and can end the session. After a
 * 503, it retries. This function therefore replaces 429 with 503 for refreshes, and 507 with 503 for all requests.
 */
function retryLater({ status, message, retryAfterSeconds }: RetryLaterError, isRefresh: boolean) {
  if (status === 507) return diskFull(message, retryAfterSeconds);
  return new GoTrueError(isRefresh ? 503 : status, "over_request_rate_limit", message, retryAfterSeconds);
}

/** GoTrue has no such code. */
function diskFull(message = "The server's disk is full", retryAfterSeconds = 10): GoTrueError {
  return new GoTrueError(503, "disk_full", message, retryAfterSeconds);
}

export function linkExpired(): GoTrueError {
  return new GoTrueError(403, "otp_expired", "Email link is invalid or has expired");
}

export function emailExists(): GoTrueError {
  const message = "A user with this email address has already been registered";
  return new GoTrueError(422, "email_exists", message);
}

/** For an id that another account has. */
export function userExists(): GoTrueError {
  return new GoTrueError(422, "user_already_exists", "A user with this id already exists");
}

export function userNotFound(): GoTrueError {
  return new GoTrueError(404, "user_not_found", "User not found");
}

export function noAuthorization(message = "This endpoint requires a valid Bearer token"): GoTrueError {
  return new GoTrueError(401, "no_authorization", message);
}

export function badToken(reason: string): GoTrueError {
  return new GoTrueError(403, "bad_jwt", `invalid JWT: unable to parse or verify signature, ${reason}`);
}

const unavailable = () =>
  new GoTrueError(503, "request_timeout", "The database did not answer in time. Try again shortly.", 2);
const unexpected = () =>
  new GoTrueError(
    500,
    "unexpected_failure",
    "Unexpected failure, please check server logs for more information",
  );

const FAILURES: Record<FailureClass, () => GoTrueError> = {
  temporary: unavailable,
  timeout: unavailable,
  disk_full: () => diskFull(),
  // The handlers check what they store, so the database rejects it only if they have a fault.
  invalid: unexpected,
  not_allowed: unexpected,
  conflict: unexpected,
  internal: unexpected,
};

export function toGoTrueError(error: Error, isRefresh: boolean): GoTrueError {
  if (error instanceof GoTrueError) return error;
  if (error instanceof AuthenticationError)
    return error.refusal === "missing" ? noAuthorization() : badToken(error.message);
  if (error instanceof SessionEndedError) {
    const message = "Session from session_id claim in JWT does not exist";
    return new GoTrueError(401, "session_not_found", message);
  }
  if (error instanceof BodyTooLargeError) {
    const message = `Request body too large (max ${error.maxBytes} bytes)`;
    return new GoTrueError(413, "request_entity_too_large", message);
  }
  if (error instanceof BodyTooSlowError) return new GoTrueError(408, "request_timeout", error.message);
  if (error instanceof RetryLaterError) return retryLater(error, isRefresh);
  return FAILURES[classifyFailure(error)]();
}

const VERSION_HEADER = "X-Supabase-Api-Version";
const CODED_VERSION = "2024-01-01";

/**
 * Clients that request the API version 2024-01-01 or a later one find the error code in `code`. For older clients, it
 * is in `error_code`, and `code` is the status (GoTrue's internal/api/errors.go).
 */
export function errorResponse(
  c: Context,
  { status, code, message, retryAfterSeconds }: GoTrueError,
): Response {
  const version = c.req.header(VERSION_HEADER) ?? "";
  const isCoded = /^\d{4}-\d{2}-\d{2}$/.test(version) && version >= CODED_VERSION;
  c.header("x-sb-error-code", code);
  if (isCoded) c.header(VERSION_HEADER, CODED_VERSION);
  if (retryAfterSeconds !== undefined) c.header("Retry-After", String(retryAfterSeconds));
  return c.json(
    {
      ...(isCoded ? { code, message } : { code: status, error_code: code, msg: message }),
      ...(code === "weak_password" && { weak_password: { reasons: ["length"] } }),
    },
    status,
  );
}
