import type { Env, Hono } from "hono";
import type { InProcess } from "../../server/http/connection.ts";

export const IN_PROCESS: InProcess = { inProcess: true };

/** Makes `app.request` send requests in process, so the limits on concurrency and bodies don't apply to them. */
export function inProcess<E extends Env>(app: Hono<E>): Hono<E> {
  const { request } = app;
  return Object.assign(app, {
    request: ((input, init, env = IN_PROCESS) => request(input, init, env)) as typeof request,
  });
}
