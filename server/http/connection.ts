import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import type { ReportFailure } from "./access-log.ts";

/**
 * The environment of a request that the site sends to itself, such as a page loader's read. The limits on concurrency
 * and bodies don't apply to it, because it runs on behalf of a request that they already apply to.
 */
export interface InProcess {
  inProcess: true;
  /** The id of the request that this one belongs to, and what adds a failure to its line in the log. */
  requestId?: string | undefined;
  reportFailure?: ReportFailure | undefined;
}

/** Returns undefined for a request in process. Throws if the request neither has a connection nor is in process. */
export function connectionOf(c: Context): HttpBindings | undefined {
  const env: Partial<HttpBindings & InProcess> = c.env ?? {};
  if (env.inProcess) return undefined;
  if (env.incoming && env.outgoing) return env as HttpBindings;
  throw new Error("A request needs a connection, or an environment that says that it is in process");
}
