import type { Env, Hono } from "hono";
import { IN_PROCESS } from "../../server/http/connection.ts";

export { IN_PROCESS };

/** Makes `app.request` send requests in process, so the limits on concurrency and bodies don't apply to them. */
export function inProcess<E extends Env>(app: Hono<E>): Hono<E> {
  const { request } = app;
  return Object.assign(app, {
    request: ((input, init, env = IN_PROCESS) => request(input, init, env)) as typeof request,
  });
}
