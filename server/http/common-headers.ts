import { randomUUID } from "node:crypto";
import type { Context, MiddlewareHandler } from "hono";

declare module "hono" {
  interface ContextVariableMap {
    requestId: string;
    commonHeaders: Record<string, string>;
    complete?: Response;
  }
}

/** Every answer carries the id of its request, and `fixed` where it has no such header of its own. */
export function commonHeaders(fixed: Record<string, string>): MiddlewareHandler {
  return async (context, next) => {
    // Ours alone: an id that a client chose could pass for another request's in the log.
    const requestId = randomUUID();
    const common: Record<string, string> = { "x-request-id": requestId, ...fixed };
    context.set("requestId", requestId);
    context.set("commonHeaders", common);
    await next();
    if (context.res === context.get("complete")) return;
    const { headers } = context.res;
    for (const [name, value] of Object.entries(common)) {
      if (!headers.has(name)) headers.set(name, value);
    }
  };
}

/** Changing a Response's headers builds a `Headers` object, which costs as much as the rest of a cached page. */
export function respondComplete(
  { get, set }: Context,
  body: BodyInit | null,
  init: { status: number; headers: Record<string, string> },
): Response {
  const response = new Response(body, { ...init, headers: { ...get("commonHeaders"), ...init.headers } });
  set("complete", response);
  return response;
}
