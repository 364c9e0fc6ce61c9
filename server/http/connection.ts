import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";

/**
 * The environment of a request that the site sends to itself, such as those of operators' actions. The limits on
 * concurrency and bodies don't apply to it, because it runs on behalf of a request that they already apply to.
 */
export const IN_PROCESS = { inProcess: true } as const;

/** Returns undefined for a request in process. Throws if the request neither has a connection nor is in process. */
export function connectionOf(c: Context): HttpBindings | undefined {
  const env: Partial<HttpBindings & typeof IN_PROCESS> = c.env ?? {};
  if (env.inProcess) return undefined;
  if (env.incoming && env.outgoing) return env as HttpBindings;
  throw new Error("A request needs a connection, or an environment that says that it is in process");
}
