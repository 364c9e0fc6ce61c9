import { randomUUID } from "node:crypto";
import { type Handler, Hono } from "hono";
import { bearerAuth } from "hono/bearer-auth";
import { VERSION } from "../config/version.ts";
import { PROCESS_HEADER } from "./process-header.ts";

interface HealthDependencies {
  ready(): Promise<boolean>;
  metrics: Handler;
  metricsToken: string | undefined;
}

/** Serves `/healthz`, `/readyz` and, if there is a token for it, `/metrics`. */
export function createHealth({ ready, metrics, metricsToken: token }: HealthDependencies) {
  const processId = randomUUID();
  let isStopping = false;
  const routes = new Hono();
  routes.get("/healthz", (c) =>
    isStopping ? c.text("stopping\n", 503) : c.text(`ok ${VERSION}\n`, 200, { [PROCESS_HEADER]: processId }),
  );
  routes.get("/readyz", async (c) =>
    (await ready())
      ? c.text("ready\n")
      : c.text("the database is not responding\n", 503, { "Retry-After": "2" }),
  );
  // Even local clients need the token: behind a reverse proxy on this machine, every client looks local.
  if (token) routes.get("/metrics", bearerAuth({ token, realm: "metrics" }), metrics);
  return {
    routes,
    /** Makes `/healthz` respond with 503, so that proxies choose other processes. Other requests are still served. */
    announceStop(): void {
      isStopping = true;
    },
  };
}
