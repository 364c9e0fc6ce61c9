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
const NETWORK_ERRORS =
  /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)$/;
const BROKEN_CONNECTION =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout|timeout exceeded when trying to connect)/;

export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return UNAVAILABLE_STATES.test(code) || NETWORK_ERRORS.test(code) || BROKEN_CONNECTION.test(error.message);
}

export function asUnavailable(error: unknown): unknown {
  return isUnavailable(error)
    ? new DatabaseUnavailableError("The connection to the database was lost", { cause: error })
    : error;
}
