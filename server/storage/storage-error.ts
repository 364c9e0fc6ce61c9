import type { ContentfulStatusCode } from "hono/utils/http-status";
import { AuthenticationError } from "../api/access-token.ts";
import { BodyTooLargeError, BodyTooSlowError } from "../api/api-errors.ts";
import { RetryLaterError } from "../http/retry-later-error.ts";
import { classifyFailure, type FailureClass, SessionEndedError } from "../postgres/database.ts";

/**
 * An error in the format of Supabase Storage (its src/internal/errors/codes.ts). Storage sends most errors with
 * status 400; the actual status is in the body.
 */
export class StorageError extends Error {
  override readonly name = "StorageError";
  readonly statusCode: number;
  readonly error: string;
  readonly code: string;
  readonly headers: Record<string, string>;

  constructor(
    statusCode: number,
    error: string,
    code: string,
    message: string,
    headers: Record<string, string> = {},
  ) {
    super(message);
    this.headers = headers;
    this.statusCode = statusCode;
    this.error = error;
    this.code = code;
  }

  getResponse(): Response {
    const { statusCode, error, message, code, headers } = this;
    const isClientError = statusCode < 500 && ![408, 416, 429].includes(statusCode);
    return Response.json(
      { statusCode: String(statusCode), error, message, code },
      { status: isClientError ? 400 : statusCode, headers: { "cache-control": "no-store", ...headers } },
    );
  }
}

export const accessDenied = (message = "new row violates row-level security policy") =>
  new StorageError(403, "Unauthorized", "AccessDenied", message);
export const alreadyExists = () =>
  new StorageError(409, "Duplicate", "KeyAlreadyExists", "The resource already exists");
export const bucketNotFound = () =>
  new StorageError(404, "Bucket not found", "NoSuchBucket", "Bucket not found");
export const invalidKey = (key: string) =>
  new StorageError(400, "InvalidKey", "InvalidKey", `Invalid key: ${key.slice(0, 100)}`);
export const invalidRange = (size: number) =>
  new StorageError(416, "invalid_range", "InvalidRange", "invalid range provided", {
    "content-range": `bytes */${size}`,
  });
export const invalidRequest = (message: string) => new StorageError(400, "Error", "InvalidRequest", message);
export const noContent = () =>
  new StorageError(400, "InvalidRequest", "InvalidRequest", "No content provided");
export const objectNotFound = () => new StorageError(404, "not_found", "NoSuchKey", "Object not found");
export const tooLarge = (message = "The object exceeded the maximum allowed size") =>
  new StorageError(413, "Payload too large", "EntityTooLarge", message);
export const unsupportedType = (message: string) =>
  new StorageError(415, "invalid_mime_type", "InvalidMimeType", message);

const unavailable = () =>
  new StorageError(
    503,
    "Internal",
    "DatabaseTimeout",
    "The database did not answer in time. Try again shortly.",
    {
      "retry-after": "2",
    },
  );
const internal = () => new StorageError(500, "Internal", "InternalError", "Internal Server Error");

const FAILURES: Record<FailureClass, () => StorageError> = {
  // A row-level security policy or a missing grant rejected the request.
  not_allowed: accessDenied,
  conflict: alreadyExists,
  temporary: unavailable,
  timeout: unavailable,
  disk_full: () => new StorageError(507, "Internal", "DiskFull", "The server's disk is full"),
  // The routes validate their input, so the database rejects it only if they have a fault.
  invalid: internal,
  internal,
};

export function toStorageError(error: Error): StorageError {
  if (error instanceof StorageError) return error;
  if (error instanceof AuthenticationError) {
    const isMissing = error.refusal === "missing";
    return isMissing
      ? invalidRequest("headers must have required property 'authorization'")
      : accessDenied(error.message);
  }
  if (error instanceof SessionEndedError) return accessDenied(error.message);
  if (error instanceof BodyTooLargeError) return tooLarge();
  if (error instanceof BodyTooSlowError)
    return new StorageError(408, "RequestTimeout", "RequestTimeout", error.message);
  if (error instanceof RetryLaterError) {
    const { status, message, retryAfterSeconds } = error;
    const headers = { "retry-after": String(retryAfterSeconds) };
    return new StorageError(status, "too_many_requests", "SlowDown", message, headers);
  }
  return FAILURES[classifyFailure(error)]();
}

/** Uses the error format of Fastify, the framework of Supabase Storage. */
export function routeNotFound(method: string, path: string, status: ContentfulStatusCode = 404): Response {
  const message = `Route ${method}:${path.slice(0, 100)} not found`;
  return Response.json({ message, error: "Not Found", statusCode: status }, { status });
}
