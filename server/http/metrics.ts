import type { Context, Next } from "hono";
import { routePath } from "hono/route";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { VERSION } from "../config/version.ts";

const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** `countConnections` is undefined on a site with a Supabase project, because that site has no connection pool. */
export function createMetrics(
  countConnections: (() => Record<string, number>) | undefined,
  pageCacheCounts: { hits: number; misses: number },
) {
  const register = new Registry();
  const registers = [register];
  collectDefaultMetrics({ register });
  new Gauge({
    name: "techfolio_build_info",
    help: "1, labelled with the version of Techfolio that this process runs.",
    labelNames: ["version"],
    registers,
  }).set({ version: VERSION }, 1);
  const requests = new Counter({
    name: "techfolio_http_requests_total",
    help: "HTTP requests that received a response.",
    labelNames: ["route", "method", "status"],
    registers,
  });
  const durations = new Histogram({
    name: "techfolio_http_request_duration_seconds",
    help: "Time from the arrival of a request to the start of its response.",
    labelNames: ["route"],
    buckets: BUCKETS_SECONDS,
    registers,
  });
  const signInFailures = new Counter({
    name: "techfolio_sign_in_failures_total",
    help: "Sign-ins rejected for an unknown email address or a wrong password or, if limited is true, after too many failures.",
    labelNames: ["limited"],
    registers,
  });
  for (const limited of ["true", "false"]) signInFailures.inc({ limited }, 0);
  new Counter({
    name: "techfolio_page_cache_lookups_total",
    help: "Page requests served from the cache (hit) or after rendering the page (miss).",
    labelNames: ["result"],
    registers,
    collect() {
      this.reset();
      this.inc({ result: "hit" }, pageCacheCounts.hits);
      this.inc({ result: "miss" }, pageCacheCounts.misses);
    },
  });
  new Gauge({
    name: "techfolio_database_connections",
    help: "Database connections (all: total, unused: idle), and queries that wait for a connection (waiting).",
    labelNames: ["state"],
    registers,
    collect() {
      for (const [state, count] of Object.entries(countConnections?.() ?? {})) this.set({ state }, count);
    },
  });

  return {
    async middleware(context: Context, next: Next) {
      const start = performance.now();
      await next();
      const { method } = context.req;
      // Label by route: with paths, each page would create its own time series. If the page cache responded, the route
      // is that of its middleware, `/*`, so use the last route that matches, which is the page's.
      const respondedFrom = routePath(context);
      const route = respondedFrom === "/*" ? routePath(context, -1) : respondedFrom;
      requests.inc({ route, method, status: context.res.status });
      durations.observe({ route }, (performance.now() - start) / 1_000);
    },
    async handler(context: Context) {
      const headers = { "Content-Type": register.contentType, "Cache-Control": "no-store" };
      return context.body(await register.metrics(), 200, headers);
    },
    signInFailed: (limited: boolean) => signInFailures.inc({ limited: String(limited) }),
  };
}
