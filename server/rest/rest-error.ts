import type { ContentfulStatusCode } from "hono/utils/http-status";

interface Extras {
  /** A text, except in PGRST201, where it is a list. */
  details?: string | object[] | undefined;
  hint?: string;
  headers?: Record<string, string>;
}

/** An error in PostgREST's format (docs.postgrest.org, "Errors"). The client receives all of its fields. */
export class RestError extends Error {
  override readonly name = "RestError";
  readonly status: ContentfulStatusCode;
  readonly code: string;
  readonly extras: Extras;

  constructor(status: ContentfulStatusCode, code: string, message: string, extras: Extras = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.extras = extras;
  }

  getResponse(): Response {
    const { status, code, message } = this;
    const { details = null, hint = null, headers } = this.extras;
    return new Response(JSON.stringify({ code, details, hint, message }), {
      status,
      headers: {
        "content-type": "application/json; charset=utf-8",
        "cache-control": "no-store",
        ...(status === 401 && { "www-authenticate": challenge(code, message) }),
        ...(status === 503 && { "retry-after": "2" }),
        ...headers,
      },
    });
  }
}

// Returns the value of the WWW-Authenticate header (RFC 6750 §3). If the request had no token, it contains no error
// code (§3.1).
function challenge(code: string, message: string): string {
  const isBadToken = code === "PGRST301" || code === "PGRST303";
  return isBadToken ? `Bearer error="invalid_token", error_description="${message}"` : "Bearer";
}

/** Shortens a text from a request for an error message. */
export function excerpt(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

export function unreadable(message: string, details?: string): RestError {
  return new RestError(400, "PGRST100", message, { details });
}

export function badBody(message: string, status: 400 | 408 | 413 | 415 = 400): RestError {
  return new RestError(status, "PGRST102", message);
}

export function badRange(details: string, headers: Record<string, string> = {}): RestError {
  return new RestError(416, "PGRST103", "Requested range not satisfiable", { details, headers });
}

export function noAggregates(): RestError {
  return new RestError(400, "PGRST123", "Use of aggregate functions is not allowed", {
    hint: "Only the rows of an embedded table can be counted, as in articles(count). Prefer: count=exact counts the rows of a list.",
  });
}

export function noColumn(relation: string, column: string, hint?: string): RestError {
  const message = `column ${relation}.${excerpt(column)} does not exist`;
  return new RestError(400, "42703", message, hint === undefined ? {} : { hint });
}

export function notImplemented(details: string): RestError {
  return new RestError(400, "PGRST127", "Feature not implemented", { details });
}
