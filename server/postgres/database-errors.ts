import pg from "pg";

/** The token is valid, but it has no session, its session has ended, or its user was suspended or deleted. */
export class SessionEndedError extends Error {
  override readonly name = "SessionEndedError";
}

export class DatabaseUnavailableError extends Error {
  override readonly name = "DatabaseUnavailableError";
}

// SQLSTATEs of a connection that failed or was refused: connection exceptions, idle-transaction timeouts, and a server
// that is stopping, starting or out of connections.
const UNAVAILABLE_STATES = /^(08...|57P0[1-5]|53300|25P03)$/;
const NETWORK_ERRORS = /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)$/;
const BROKEN_CONNECTION =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout|timeout exceeded when trying to connect)/;

export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  // The server's socket is missing while the server is stopped. A missing certificate file stays missing.
  const lacksSocket = code === "ENOENT" && "syscall" in error && error.syscall === "connect";
  return (
    lacksSocket ||
    UNAVAILABLE_STATES.test(code) ||
    NETWORK_ERRORS.test(code) ||
    BROKEN_CONNECTION.test(error.message)
  );
}

/**
 * Whether the server closed an idle connection just before it was used, so the statement never ran: `admin_shutdown`,
 * `idle_session_timeout`, or the end of the stream.
 */
export function wasClosedBefore(error: unknown): boolean {
  if (!(error instanceof DatabaseUnavailableError) || !(error.cause instanceof Error)) return false;
  const { message } = error.cause;
  const code = "code" in error.cause ? String(error.cause.code) : "";
  return /^(57P01|57P05|ECONNRESET|EPIPE)$/.test(code) || message === "Connection terminated unexpectedly";
}

/** PostgreSQL ended a deadlock by rolling this transaction back. */
export function isDeadlock(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === "40P01";
}

/** A statement did not get a lock within `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === "55P03";
}

export function asUnavailable(error: unknown): unknown {
  return isUnavailable(error)
    ? new DatabaseUnavailableError("The connection to the database was lost", { cause: error })
    : error;
}

/**
 * The cause of a failed request: invalid input, missing rights, a conflict with stored data, a temporary failure that a
 * retry may avoid, a statement that took too long, a full disk, or a fault of the server.
 */
export type FailureClass =
  | "invalid"
  | "not_allowed"
  | "conflict"
  | "temporary"
  | "timeout"
  | "disk_full"
  | "internal";

// The first match counts.
const CLASSES: [state: RegExp, failure: FailureClass][] = [
  [/^53100$/, "disk_full"],
  [/^57014$/, "timeout"],
  // Lock timeouts, deadlocks, conflicts between transactions, and insufficient resources.
  [/^(55P03|40P01|40001|53...)$/, "temporary"],
  [/^2350[35]$/, "conflict"],
  [/^((0L|0P|28)...|42501|25006)$/, "not_allowed"],
  [/^(21000|22...|23...|42...|44...|54...|P0001|PT413)$/, "invalid"],
];

/** Classifies whatever a statement or a transaction threw. */
export function classifyFailure(error: unknown): FailureClass {
  if (error instanceof DatabaseUnavailableError || isUnavailable(error)) return "temporary";
  if (error instanceof SessionEndedError) return "not_allowed";
  if (!(error instanceof pg.DatabaseError)) return "internal";
  return CLASSES.find(([state]) => state.test(error.code ?? ""))?.[1] ?? "internal";
}
