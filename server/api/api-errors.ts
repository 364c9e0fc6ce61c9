import type { Context, Env } from "hono";
import { errorName } from "../config/error-message.ts";
import type { ReportFailure } from "../http/access-log.ts";
import { ClientDisconnectedError, disconnectedResponse } from "../http/client-disconnected-error.ts";
import type { Log } from "../http/log.ts";

export class BodyTooLargeError extends Error {
  override readonly name = "BodyTooLargeError";
  readonly maxBytes: number;

  constructor(maxBytes: number) {
    super(`The body is larger than ${maxBytes} bytes`);
    this.maxBytes = maxBytes;
  }
}

export class BodyTooSlowError extends Error {
  override readonly name = "BodyTooSlowError";

  constructor() {
    super("The body arrived too slowly");
  }
}

interface ErrorOptions<E extends Env> {
  log: Log;
  /** The name of the log line about a failure. */
  event: string;
  /** Converts every error to a response in the protocol's format. */
  format(error: Error, c: Context<E>): Response;
}

/**
 * Returns the error handler of a protocol's routes. Logs server errors, except the 503s of the limits. Omits
 * their messages, because those may quote a client's data. A disconnected client is not an error.
 */
export function handleErrors<E extends Env>({ log, event, format }: ErrorOptions<E>) {
  return (error: Error, c: Context<E>): Response => {
    if (error instanceof ClientDisconnectedError) return disconnectedResponse();
    const response = format(error, c);
    const { status } = response;
    if (status >= 500 && error.name !== "RetryLaterError") {
      const requestId = c.get("requestId");
      const report: ReportFailure =
        c.get("reportFailure") ?? ((fields, name) => log.error({ requestId, ...fields }, name));
      report(describeFailure(error, status), event);
    }
    return response;
  };
}

/** Returns the fields of a log line, without the message. */
export function describeFailure(error: Error, status: number): object {
  const stack = error.stack?.split("\n").filter((line) => line.trimStart().startsWith("at "));
  return { status, error: error.name, reason: errorName(error), ...(status === 500 && { stack }) };
}
