import type { ContentfulStatusCode } from "hono/utils/http-status";
import pg from "pg";
import { AuthenticationError } from "../api/access-token.ts";
import { BodyTooLargeError, BodyTooSlowError } from "../api/api-errors.ts";
import { RetryLaterError } from "../http/retry-later-error.ts";
import {
  classifyFailure,
  DatabaseUnavailableError,
  type FailureClass,
  type Role,
  SessionEndedError,
} from "../postgres/database.ts";
import { badBody, RestError } from "./rest-error.ts";

// The statuses in docs.postgrest.org, "HTTP Status Codes", but with fewer 500s: 400 if the client's values are the
// cause (21000, 54000), and 503, 504 or 507 if a retry may succeed.
const STATUSES: Record<FailureClass, ContentfulStatusCode> = {
  invalid: 400,
  not_allowed: 403,
  conflict: 409,
  temporary: 503,
  timeout: 504,
  disk_full: 507,
  internal: 500,
};
/**
 * States with a status of their own: a write in a read-only transaction, a missing function or table, and the
 * database's limits for one member (contract, "Limits").
 */
const EXCEPTIONS: Record<string, ContentfulStatusCode> = {
  "25006": 405,
  "42883": 404,
  "42P01": 404,
  PT413: 413,
};

/**
 * SQLSTATEs whose messages the client receives. Other messages are replaced, because they may quote the server's SQL.
 * DETAIL and HINT are never sent, because they can quote rows.
 */
const SHOWN =
  /^(21000|2200[1-9]|22P0[25]|22025|22023|23...|42501|42703|428C9|42804|42883|42P10|44000|57014|P0001|PT413)$/;
const MAX_MESSAGE = 300;
const RETRY_LATER = { "retry-after": "2" };

export function toRestError(error: unknown, role: Role | undefined): RestError {
  if (error instanceof RestError) return error;
  if (error instanceof AuthenticationError) return fromRefusal(error);
  if (error instanceof SessionEndedError) return new RestError(401, "PGRST303", "The session has ended");
  if (error instanceof BodyTooLargeError) return badBody(error.message, 413);
  if (error instanceof BodyTooSlowError) return badBody(error.message, 408);
  if (error instanceof RetryLaterError) return fromRetryLater(error);
  if (error instanceof DatabaseUnavailableError)
    return new RestError(503, "PGRST001", "Database connection error. Try again later.", {
      headers: RETRY_LATER,
    });
  if (error instanceof pg.DatabaseError && error.code !== undefined)
    return fromState(error, error.code, role);
  return new RestError(500, "PGRSTX00", "Internal server error");
}

function fromRetryLater({ status, message, retryAfterSeconds }: RetryLaterError): RestError {
  return new RestError(status, String(status), message, {
    hint: "Try again later",
    headers: { "retry-after": String(retryAfterSeconds) },
  });
}

function fromRefusal({ refusal, message }: AuthenticationError): RestError {
  if (refusal === "role") return new RestError(403, "42501", message);
  const code = { missing: "PGRST302", expired: "PGRST303", invalid: "PGRST301" }[refusal];
  return new RestError(401, code, message);
}

function fromState(error: pg.DatabaseError, code: string, role: Role | undefined): RestError {
  const usual = EXCEPTIONS[code] ?? STATUSES[classifyFailure(error)];
  const status = code === "42501" && role === "anon" ? 401 : usual;
  const message = SHOWN.test(code) ? error.message.slice(0, MAX_MESSAGE) : messageFor(status);
  return new RestError(status, code, message, status === 503 ? { headers: RETRY_LATER } : {});
}

function messageFor(status: ContentfulStatusCode): string {
  if (status === 503) return "The database cannot handle this request now. Try again later.";
  return status === 500 ? "Internal server error" : "The database rejected this request";
}
