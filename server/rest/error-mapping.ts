import type { ContentfulStatusCode } from "hono/utils/http-status";
import pg from "pg";
import { AuthenticationError } from "../auth/access-token.ts";
import { errorName } from "../config/error-message.ts";
import type { Log } from "../http/log.ts";
import type { RetryLaterError } from "../http/retry-later-error.ts";
import { DatabaseUnavailableError, type Role, SessionEndedError } from "../postgres/database.ts";
import { RestError } from "./rest-error.ts";

// The statuses in docs.postgrest.org, "HTTP Status Codes", but with fewer 500s: 400 if the client's values are the
// cause (21000, 54000), and 503 or 504 if a retry may succeed (40001, 40P01, 57014).
const STATUSES: [state: RegExp, status: ContentfulStatusCode][] = [
  [/^2350[35]$/, 409],
  [/^25006$/, 405],
  [/^(40001|40P01|53...)$/, 503],
  [/^57014$/, 504],
  [/^((0L|0P|28)...|42501)$/, 403],
  [/^42(883|P01)$/, 404],
  [/^(21000|22...|23...|42...|44...|54...|P0001)$/, 400],
  // The database's limits for one member (contract, "Limits").
  [/^PT413$/, 413],
];

/**
 * SQLSTATEs whose messages the client receives. Other messages are replaced, because they may quote the server's SQL.
 * DETAIL and HINT are never sent, because they can quote rows.
 */
const SHOWN =
  /^(21000|2200[1-9]|22P0[25]|22025|23...|42501|42703|42804|42883|42P10|44000|57014|P0001|PT413)$/;
const MAX_MESSAGE = 300;

export function toRestError(error: unknown, role: Role | undefined): RestError {
  if (error instanceof RestError) return error;
  if (error instanceof AuthenticationError) return fromRefusal(error);
  if (error instanceof SessionEndedError) return new RestError(401, "PGRST303", "The session has ended");
  if (error instanceof DatabaseUnavailableError)
    return new RestError(503, "PGRST001", "Database connection error. Try again later.");
  if (error instanceof pg.DatabaseError && error.code !== undefined)
    return fromState(error.code, error.message, role);
  return new RestError(500, "PGRSTX00", "Internal server error");
}

export function retryLater({ status, message, retryAfterSeconds }: RetryLaterError): RestError {
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

function fromState(code: string, message: string, role: Role | undefined): RestError {
  const usual = STATUSES.find(([state]) => state.test(code))?.[1] ?? 500;
  const status = code === "42501" && role === "anon" ? 401 : usual;
  return new RestError(status, code, SHOWN.test(code) ? message.slice(0, MAX_MESSAGE) : explain(status));
}

function explain(status: ContentfulStatusCode): string {
  if (status === 503) return "The database cannot handle this request now. Try again later.";
  return status === 500 ? "Internal server error" : "The database rejected this request";
}

/** Omits the error's message, because messages of PostgreSQL and pg may quote members' content. */
export function logFailure(log: Log, error: Error, { status, code }: RestError, requestId: string): void {
  const stack = error.stack?.split("\n").filter((line) => line.startsWith("    at "));
  const reason = errorName(error);
  const place = status === 500 && { stack };
  log.error({ requestId, status, code, error: error.name, reason, ...place }, "rest_request.failed");
}
