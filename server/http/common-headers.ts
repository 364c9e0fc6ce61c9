import type { Context, MiddlewareHandler } from "hono";

interface CommonHeadersEnv {
  Variables: { commonHeaders: Record<string, string>; complete?: Response };
}

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

/** Changing a Response's headers builds a `Headers` object, which costs as much as the rest of a cached page. */
export function respondComplete(
  context: Context,
  body: BodyInit,
  init: { status: number; headers: Record<string, string> },
): Response {
  const { get, set } = context as Context<CommonHeadersEnv>;
  const response = new Response(body, { ...init, headers: { ...get("commonHeaders"), ...init.headers } });
  set("complete", response);
  return response;
}
