import type { ContentfulStatusCode } from "hono/utils/http-status";

interface Particulars {
  details?: string | undefined;
  hint?: string;
  headers?: Record<string, string>;
}

/** A status and PostgREST's four fields (docs.postgrest.org, "Errors"). The client sees all of it. */
export class RestError extends Error {
  override readonly name = "RestError";
  readonly status: ContentfulStatusCode;
  readonly code: string;
  readonly particulars: Particulars;

  constructor(status: ContentfulStatusCode, code: string, message: string, particulars: Particulars = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.particulars = particulars;
  }

  toResponse(): Response {
    const { status, code, message } = this;
    const { details = null, hint = null, headers } = this.particulars;
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

// RFC 6750 §3. Without a token in the request, the challenge has no error code (§3.1).
function challenge(code: string, message: string): string {
  const isBadToken = code === "PGRST301" || code === "PGRST303";
  return isBadToken ? `Bearer error="invalid_token", error_description="${message}"` : "Bearer";
}

export function quoted(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

export function unreadable(message: string, details?: string): RestError {
  return new RestError(400, "PGRST100", message, { details });
}

export function badBody(message: string, status: 400 | 413 | 415 = 400): RestError {
  return new RestError(status, "PGRST102", message);
}

export function badRange(details: string, headers: Record<string, string> = {}): RestError {
  return new RestError(416, "PGRST103", "Requested range not satisfiable", { details, headers });
}

export function notImplemented(details: string): RestError {
  return new RestError(400, "PGRST127", "Feature not implemented", { details });
}
