import type { Context } from "hono";

export interface Refusal {
  status: 429 | 503 | 507;
  message: string;
  retryAfterSeconds: number;
}

export function refuse(context: Context, { status, message, retryAfterSeconds }: Refusal): Response {
  const headers = { "Cache-Control": "no-store", "Retry-After": String(retryAfterSeconds) };
  const { path } = context.req;
  if (path.startsWith("/rest/v1/")) {
    const hint = "Try again later";
    return context.json({ code: String(status), details: null, hint, message }, status, headers);
  }
  if (path.startsWith("/auth/v1/")) {
    const error_code = "over_request_rate_limit";
    return context.json({ code: status, error_code, msg: message }, status, headers);
  }
  return context.text(`${message}. Please try again shortly.\n`, status, headers);
}
