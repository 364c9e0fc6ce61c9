import { Hono } from "hono";
import { bearerAuth } from "hono/bearer-auth";
import { HTTPException } from "hono/http-exception";
import type { RunningBackend } from "./backends/types.ts";
import type { Settings } from "./config/settings.ts";
import { createCards } from "./feeds/cards/cards.ts";
import { createFeeds } from "./feeds/feeds.ts";
import { accessLog } from "./http/access-log.ts";
import { admission, card } from "./http/admission.ts";
import { AdmissionError } from "./http/admission-error.ts";
import { commonHeaders } from "./http/common-headers.ts";
import type { Log } from "./http/log.ts";
import { createMetrics } from "./http/metrics.ts";
import { securityHeaders } from "./http/security-headers.ts";
import { loadApplication, ONE_YEAR } from "./pages/application.ts";
import { dataKey, fixedKey, pageKey, pathKey } from "./pages/cache-key.ts";
import { createCached, notModified } from "./pages/cached.ts";
import { createPages } from "./pages/pages.ts";
import { ResponseCache } from "./pages/response-cache.ts";
import { siteTitle } from "./pages/site-title.ts";
import { atMostEvery } from "./pages/throttle.ts";
import { createRenderer } from "./rendering/renderer.ts";

export type App = Awaited<ReturnType<typeof createApp>>;

/** Writes elsewhere empty the page cache at most this often. Writes here empty it at once. */
const CLEAR_INTERVAL_MS = 500;
const UNFOLLOWED_LIFETIME_MS = 1_000;

/** A request meets every concern once, in the order of this function. */
export async function createApp(settings: Settings, backend: RunningBackend, log: Log) {
  const application = await loadApplication();
  const { isProduction } = application;
  const render = createRenderer(log);
  const cache = new ResponseCache();
  cache.lifetimeMs = UNFOLLOWED_LIFETIME_MS;
  const metrics = createMetrics(backend.connections, cache);
  const { routes, data } = await backend.createRoutes({
    onWrite: () => cache.clear(),
    onSignInFailed: metrics.signInFailed,
  });
  const logo = settings.siteLogo;
  const cached = createCached(cache, (hostname) => siteTitle(settings, hostname), isProduction, log);
  const pages = createPages({
    site: {
      url: settings.siteUrl,
      backend: backend.published,
      logo: logo?.address,
      footerLinks: settings.footerLinks,
    },
    build: application.build,
    data,
    render,
    log,
    isProduction,
  });

  const feeds = createFeeds(data, render, settings.siteUrl);
  const cards = createCards(data);

  backend.follow?.({
    changed: atMostEvery(CLEAR_INTERVAL_MS, () => cache.clear()),
    following(isFollowing) {
      cache.lifetimeMs = isFollowing ? Number.POSITIVE_INFINITY : UNFOLLOWED_LIFETIME_MS;
    },
  });

  const app = new Hono();
  app.use(commonHeaders(securityHeaders(settings, isProduction)));
  app.use(accessLog(log));
  app.use(metrics.middleware);
  app.use(admission({ trustedProxies: settings.trustedProxies, isDiskFull: backend.isDiskFull, log }));

  app.get("/healthz", (context) => context.text("ok\n"));
  app.get("/readyz", async (context) =>
    (await backend.ready()) ? context.text("ready\n") : context.text("the database does not answer\n", 503),
  );
  const { metricsToken: token } = settings;
  // Without a token nobody may know: proxies on this machine make strangers look local.
  if (token) app.get("/metrics", bearerAuth({ token, realm: "metrics" }), metrics.handler);

  app.route("/", routes);

  app.get("/favicon.ico", (context) => context.redirect("/favicon.svg", 301));
  if (logo) {
    const headers = { "Content-Type": logo.contentType, "Cache-Control": ONE_YEAR };
    app.get(logo.address, (context) => context.body(logo.bytes, 200, headers));
  }
  application.mountStaticFiles(app);
  app.use(notModified);
  for (const path of ["/lists/*", "/:page{[^%]+\\.data}"]) app.get(path, cached(dataKey, pages));
  for (const [path, feed] of Object.entries(feeds))
    app.get(path, cached(path.includes(":") ? pathKey : fixedKey, feed));
  app.get("/cards/*", cached(pathKey, cards, card));
  app.get("*", cached(pageKey, pages));
  app.all("*", (context) => context.text("Method Not Allowed\n", 405, { Allow: "GET, HEAD" }));

  app.onError((error, context) => {
    if (error instanceof AdmissionError) {
      const { status, message, retryAfterSeconds } = error;
      const headers = { "Cache-Control": "no-store", "Retry-After": String(retryAfterSeconds) };
      return context.text(`${message}. Please try again shortly.\n`, status, headers);
    }
    if (error instanceof HTTPException) return error.getResponse();
    log.error({ requestId: context.get("requestId"), reason: error.message }, "request.failed");
    return context.text("Something went wrong. Please try again in a moment.\n", 500);
  });

  return { fetch: app.fetch };
}
