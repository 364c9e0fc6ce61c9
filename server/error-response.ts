import type { ErrorHandler } from "hono";
import { HTTPException } from "hono/http-exception";
import { BodyTooLargeError, BodyTooSlowError } from "./api/api-errors.ts";
import { ClientDisconnectedError, disconnectedResponse } from "./http/client-disconnected-error.ts";
import { RetryLaterError } from "./http/retry-later-error.ts";

/** Responds to errors outside the data interfaces, which have formats of their own. */
export const errorResponse: ErrorHandler = (error, c) => {
  if (error instanceof ClientDisconnectedError) return disconnectedResponse();
  if (error instanceof RetryLaterError) {
    const { status, message, retryAfterSeconds } = error;
    const headers = { "Cache-Control": "no-store", "Retry-After": String(retryAfterSeconds) };
    return c.text(`${message}. Please try again shortly.\n`, status, headers);
  }
  if (error instanceof HTTPException) return error.getResponse();
  if (error instanceof BodyTooLargeError) return c.text("Payload Too Large\n", 413);
  if (error instanceof BodyTooSlowError) return c.text("Request Timeout\n", 408);
  c.get("reportFailure")({ reason: error.message }, "request.failed");
  const headers = { "Cache-Control": "no-store", "Retry-After": "2" };
  return c.text("Something went wrong. Please try again in a moment.\n", 503, headers);
};
