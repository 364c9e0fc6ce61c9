import type { Context, Next } from "hono";
import { routePath } from "hono/route";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { VERSION } from "../config/version.ts";
import { cacheResult } from "./cache-result.ts";

const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** How long statistics of the database are kept, because each scrape of each monitoring system asks for them. */
const STATISTICS_TTL_MS = 30_000;

interface Statistics {
  databaseBytes: number;
  members: number;
  sessions: number;
  lastBackup: Date | null;
  isBackupOverdue: boolean;
  freeDiskBytes: number | null;
}

/** A site with a Supabase project has neither a connection pool nor statistics of its database. */
interface Sources {
  connections?(): Record<string, number>;
  statistics?(): Promise<Statistics>;
  /** Whether the database responds. */
  ready(): Promise<boolean>;
  pageCacheCounts: { hits: number; misses: number };
}

export function createMetrics({ connections, statistics, ready, pageCacheCounts }: Sources) {
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
    help: "Database connections by state: total, idle, and limit, their maximum. waiting counts queries without a connection.",
    labelNames: ["state"],
    registers,
    collect() {
      for (const [state, count] of Object.entries(connections?.() ?? {})) this.set({ state }, count);
    },
  });
  new Gauge({
    name: "techfolio_database_up",
    help: "1 if the database responds, otherwise 0.",
    registers,
    async collect() {
      this.set((await ready().catch(() => false)) ? 1 : 0);
    },
  });
  const emails = new Counter({
    name: "techfolio_emails_total",
    help: "Emails that the mail server accepted (sent), or that could not be sent (failed). Without a mail server: 0.",
    labelNames: ["result"],
    registers,
  });
  for (const result of ["sent", "failed"]) emails.inc({ result }, 0);
  if (statistics !== undefined) addStatistics(registers, statistics);

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
    emailHandled: (isSent: boolean) => emails.inc({ result: isSent ? "sent" : "failed" }),
  };
}

/** Adds the database's numbers. They are absent while it doesn't respond. */
function addStatistics(registers: Registry[], readStatistics: () => Promise<Statistics>): void {
  const statistics = cacheResult(readStatistics, STATISTICS_TTL_MS);
  const add = (name: string, help: string, read: (from: Statistics) => number | null | undefined) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const value = await statistics().then(read, () => undefined);
        if (typeof value === "number") this.set(value);
        else this.remove();
      },
    });
  add("techfolio_database_size_bytes", "Size of the database.", ({ databaseBytes }) => databaseBytes);
  add("techfolio_members", "Accounts.", ({ members }) => members);
  add("techfolio_sessions", "Sessions of members that haven't ended.", ({ sessions }) => sessions);
  add(
    "techfolio_last_backup_timestamp_seconds",
    "When the command `backup` last made a backup. Absent if it never did.",
    ({ lastBackup }) => lastBackup && lastBackup.getTime() / 1_000,
  );
  add(
    "techfolio_backup_overdue",
    "1 if no backup was made for a day, otherwise 0. Always 0 with BACKUPS=elsewhere.",
    ({ isBackupOverdue }) => (isBackupOverdue ? 1 : 0),
  );
  add(
    "techfolio_free_disk_bytes",
    "Free space on the disk of DATA_DIR. Absent if another server stores the data.",
    ({ freeDiskBytes }) => freeDiskBytes,
  );
}
