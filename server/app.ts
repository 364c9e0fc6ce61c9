import { randomUUID } from "node:crypto";
import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { type RequestIdVariables, requestId } from "hono/request-id";
import type { RunningBackend } from "./backends/types.ts";
import type { Settings } from "./config/settings.ts";
import { accessLog } from "./http/access-log.ts";
import { createDoor, type Door } from "./http/admission.ts";
import type { Log } from "./http/log.ts";
import { createMetrics } from "./http/metrics/metrics.ts";
import { CLOSED_POLICY, securityHeaders } from "./http/security-headers.ts";
import { loadApplication } from "./pages/application.ts";
import { createPages } from "./pages/pages.ts";
import { siteTitle } from "./pages/site.ts";
import { atMostEvery } from "./pages/throttle.ts";
import { createRenderer } from "./rendering/renderer.ts";

interface AppParts {
  settings: Settings;
  backend: RunningBackend;
  log: Log;
}

/** The whole site as a function of requests. */
export interface App {
  fetch(request: Request, env?: unknown): Response | Promise<Response>;
  /** Stands before `fetch`: answers what was just asked by somebody else, and turns away what is too much. */
  door: Door;
  /** Does, once it is quiet after the start, what would otherwise be done while a visitor waits. */
  prepare(): void;
  close(): Promise<void>;
}

const POLICY = "Content-Security-Policy";
/** However many write elsewhere, each page is rendered anew twice a second at most. What is written here counts at once. */
const NEWS_PAUSE_MS = 500;

/** The first visitors come before what is done ahead for the next. */
const QUIET_AFTER_MS = 1_000;

const PAGE_METHODS = new Set(["GET", "HEAD"]);

/** Takes the parts, returns the site. What a request meets, and in which order, reads from top to bottom. */
export async function createApp({ settings, backend, log }: AppParts): Promise<App> {
  const application = await loadApplication();
  const renderer = createRenderer(log);
  const headers = securityHeaders(settings);
  const metrics = createMetrics(settings.metricsToken);
  const { published } = backend;
  const { routes, data } = await backend.createRoutes({
    onWrite: () => pages.clear(),
    onSignInFailed: metrics.signInFailed,
  });
  const pages = createPages({
    settings,
    loadBuild: application.loadBuild,
    site: (host) => ({ title: siteTitle(settings, host), url: settings.siteUrl, backend: published }),
    data,
    render: renderer.render,
    log,
    isProduction: application.isProduction,
    headers,
  });

  metrics.watchPageCache(pages.counts);
  metrics.watchConnections(backend.connections);
  backend.follow({
    changed: atMostEvery(NEWS_PAUSE_MS, () => pages.clear()),
    following: (is) => pages.following(is),
  });

  const app = new Hono<{ Variables: RequestIdVariables; Bindings: Partial<HttpBindings> }>();
  // Ours alone: an id that a client chose could pass for another request's in the log.
  app.use(requestId({ headerName: "" }));
  app.use(accessLog(log));
  app.use(metrics.middleware);
  app.use(async (context, next) => {
    await next();
    // Not by `context.header`, which copies the answer for each of them.
    const sent = context.res.headers;
    sent.set("X-Request-Id", context.get("requestId"));
    for (const [name, value] of Object.entries(headers)) sent.set(name, value);
    // In development the pages have no policy of their own, and would not stand this one.
    if (application.isProduction && !sent.has(POLICY)) sent.set(POLICY, CLOSED_POLICY);
  });

  app.get("/healthz", (context) => context.text("ok\n"));
  app.get("/readyz", async (context) =>
    (await backend.ready()) ? context.text("ready\n") : context.text("the database does not answer\n", 503),
  );

  app.get("/metrics", metrics.handler);

  app.route("/", routes);
  app.all("/rest/v1/*", (context) => context.notFound());
  app.all("/auth/v1/*", (context) => context.notFound());

  // Browsers ask for it where no document names an icon.
  app.get("/favicon.ico", (context) => context.redirect("/favicon.svg", 301));
  application.mountStaticFiles(app);
  app.all("*", async (context) =>
    PAGE_METHODS.has(context.req.method)
      ? pages.handle(context.req.raw, context.get("requestId"), context.env?.incoming)
      : context.text("Method Not Allowed\n", 405, { Allow: "GET, HEAD" }),
  );

  app.notFound((context) => context.text("Not Found\n", 404));
  app.onError((error, context) => {
    log.error("request.failed", { requestId: context.get("requestId"), reason: error.message });
    return context.text("Something went wrong. Please try again in a moment.\n", 500);
  });

  const turnAway = createDoor({ pages, backend, headers, log, onRefused: metrics.turnedAway });
  const door: Door = (request, response) => {
    const start = performance.now();
    const requestId = randomUUID();
    const answer = pages.answerReady(request, response, requestId);
    if (!answer) return turnAway(request, response);
    metrics.answeredReady(answer.path, answer.logAnswered(requestId, start));
    return true;
  };

  const closing = new AbortController();
  return {
    fetch: app.fetch,
    door,
    prepare() {
      if (!application.isProduction) return;
      setTimeout(() => void pages.renderAhead(closing.signal), QUIET_AFTER_MS).unref();
    },
    async close() {
      closing.abort();
      metrics.close();
      await application.close();
      await renderer.close();
    },
  };
}
