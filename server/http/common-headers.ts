import type { Context, MiddlewareHandler } from "hono";

interface CommonHeadersEnv {
  Variables: { commonHeaders: Record<string, string>; complete?: Response };
}

/** Gives every answer the headers that `addCommonHeaders` gathers; those of its own come first. */
export const commonHeaders: MiddlewareHandler<CommonHeadersEnv> = async (context, next) => {
  const common = {};
  context.set("commonHeaders", common);
  await next();
  if (context.res === context.get("complete")) return;
  const { headers } = context.res;
  for (const [name, value] of Object.entries<string>(common)) {
    if (!headers.has(name)) headers.set(name, value);
  }
};

export function addCommonHeaders(context: Context, headers: Record<string, string>): void {
  Object.assign((context as Context<CommonHeadersEnv>).get("commonHeaders"), headers);
}

/**
 * An answer that needs no further headers. The first change of a Response's headers builds a `Headers` object, which
 * costs as much as all else that a cached page does.
 */
export function respondComplete(
  context: Context,
  body: BodyInit,
  init: { status: number; headers: Record<string, string> },
): Response {
  const { commonHeaders } = (context as Context<CommonHeadersEnv>).var;
  const response = new Response(body, { ...init, headers: { ...commonHeaders, ...init.headers } });
  (context as Context<CommonHeadersEnv>).set("complete", response);
  return response;
}
