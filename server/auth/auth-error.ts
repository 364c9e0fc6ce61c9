import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Log } from "../http/log.ts";
import { DatabaseUnavailableError, SessionEndedError } from "../postgres/database.ts";

/** What may go with an error besides its text: `Retry-After` in seconds, the reasons of a weak password. */
interface Extras {
  retryAfter?: number;
  weakPassword?: string[];
}

/** A refusal with the status, code and text of Supabase's auth service (GoTrue, internal/api/apierrors). */
export class GoTrueError extends Error {
  override readonly name = "GoTrueError";
  readonly status: ContentfulStatusCode;
  readonly code: string;
  readonly extras: Extras;

  constructor(status: ContentfulStatusCode, code: string, message: string, extras: Extras = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.extras = extras;
  }
}

/** Takes what is wrong with a request, returns the 400 `validation_failed` that says it. */
export function invalid(message: string): GoTrueError {
  return new GoTrueError(400, "validation_failed", message);
}

/** Returns the one answer to an unknown e-mail and to a wrong password. */
export function invalidCredentials(): GoTrueError {
  return new GoTrueError(400, "invalid_credentials", "Invalid login credentials");
}

/** Takes how long to wait in milliseconds, returns the 429 that says so. */
export function tooManyRequests(wait: number): GoTrueError {
  return new GoTrueError(429, "over_request_rate_limit", "Request rate limit reached", {
    retryAfter: Math.max(1, Math.ceil(wait / 1000)),
  });
}

/** Returns the refusal of an e-mail address that another account has. */
export function emailExists(): GoTrueError {
  const message = "A user with this email address has already been registered";
  return new GoTrueError(422, "email_exists", message);
}

/** Returns the refusal of an account that was banned. */
export function userBanned(): GoTrueError {
  return new GoTrueError(403, "user_banned", "User is banned");
}

/** Returns what an unknown account id is answered with. */
export function userNotFound(): GoTrueError {
  return new GoTrueError(404, "user_not_found", "User not found");
}

/**
 * Takes whatever a handler threw, returns the refusal to send. What nobody expected is logged by its kind and
 * place alone, because messages of the database can quote what a member sent.
 */
export function asGoTrueError(error: unknown, log: Log, requestId: string): GoTrueError {
  if (error instanceof GoTrueError) return error;
  if (error instanceof SessionEndedError) {
    const message = "Session from session_id claim in JWT does not exist";
    return new GoTrueError(401, "session_not_found", message);
  }
  if (error instanceof DatabaseUnavailableError || isCutOff(error)) {
    const message = "The database cannot be reached, try again shortly";
    return new GoTrueError(503, "request_timeout", message, { retryAfter: 2 });
  }
  // What Node says of a request whose sender has left.
  if (error instanceof Error && error.message === "aborted") {
    return new GoTrueError(400, "bad_json", "The request body did not arrive whole");
  }
  const { name, code, stack } = error instanceof Error ? (error as Error & { code?: unknown }) : {};
  const place = stack?.split("\n").filter((line) => line.trimStart().startsWith("at "));
  log.error("auth request failed", { requestId, name, code, place });
  const message = "Unexpected failure, please check server logs for more information";
  return new GoTrueError(500, "unexpected_failure", message);
}

/**
 * PostgreSQL gave the statement up: cancelled by its timeout, a lock not had, a deadlock or a serialization conflict,
 * or out of disk, memory or connections (class 53).
 */
function isCutOff(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" && /^(57014|55P03|40P01|40001|53...)$/.test(code);
}

const versionHeader = "X-Supabase-Api-Version";
const codedVersion = "2024-01-01";

/**
 * Takes the request's context and a refusal, returns the response in the shape that the client's API version
 * expects: `{ code, message }` since 2024-01-01, `{ code, error_code, msg }` before (GoTrue, internal/api/errors.go).
 */
export function errorResponse(c: Context, error: GoTrueError): Response {
  const { status, code, message, extras } = error;
  const asked = c.req.header(versionHeader) ?? "";
  const coded = /^\d{4}-\d{2}-\d{2}$/.test(asked) && asked >= codedVersion;
  c.header("x-sb-error-code", code);
  if (coded) c.header(versionHeader, codedVersion);
  if (extras.retryAfter !== undefined) c.header("Retry-After", String(extras.retryAfter));
  const weak = extras.weakPassword === undefined ? {} : { weak_password: { reasons: extras.weakPassword } };
  const body = coded ? { code, message, ...weak } : { code: status, error_code: code, msg: message, ...weak };
  return c.json(body, status);
}
