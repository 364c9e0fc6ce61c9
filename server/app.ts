import { randomUUID } from "node:crypto";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { bearerAuth } from "hono/bearer-auth";
import { contextStorage } from "hono/context-storage";
import { HTTPException } from "hono/http-exception";
import { createAdmin } from "./admin/admin-routes.ts";
import { createJoinForm, createJoinReader } from "./admin/join-form.ts";
import { createReportEmails } from "./admin/report-emails.ts";
import { createReportForm } from "./admin/report-form.ts";
import { readState } from "./admin/state.ts";
import { BodyTooLargeError, BodyTooSlowError } from "./api/api-errors.ts";
import { createFailedEmails } from "./auth/failed-emails.ts";
import { createEmailSender } from "./auth/send-email.ts";
import { chooseBackend } from "./backends/choose.ts";
import type { BackendApi, BackendEvents } from "./backends/types.ts";
import { runChecks } from "./cli/checks.ts";
import { LIMITS } from "./config/limits.ts";
import type { Settings } from "./config/settings.ts";
import { VERSION } from "./config/version.ts";
import { createCards } from "./feeds/cards/cards.ts";
import { createFeeds, mountFeedTypes } from "./feeds/feeds.ts";
import { createFormats } from "./formats/formats.ts";
import { accessLog } from "./http/access-log.ts";
import { allowOrigins } from "./http/allow-origins.ts";
import { cacheResult } from "./http/cache-result.ts";
import { clientKey, warnAboutProxy } from "./http/client-address.ts";
import { ClientDisconnectedError, disconnectedResponse } from "./http/client-disconnected-error.ts";
import { commonHeaders } from "./http/common-headers.ts";
import { limitConcurrency } from "./http/limit-concurrency.ts";
import type { Log } from "./http/log.ts";
import { createMetrics } from "./http/metrics.ts";
import { notModified } from "./http/not-modified.ts";
import { PROCESS_HEADER } from "./http/process-header.ts";
import { RetryLaterError } from "./http/retry-later-error.ts";
import { securityHeaders } from "./http/security-headers.ts";
import { loadApplication, ONE_YEAR } from "./pages/application.ts";
import { redirectToCanonicalPath } from "./pages/canonical-path.ts";
import { pageAddress } from "./pages/page-address.ts";
import { createPageCache } from "./pages/page-cache.ts";
import { createPages, type PageRequest } from "./pages/pages.ts";
import { setSiteTitle } from "./pages/site-title.ts";
import { isSlowSearch } from "./pages/slow-search.ts";
import { createRenderer } from "./rendering/renderer.ts";

export type App = Awaited<ReturnType<typeof createApp>>;

/** Health checks are more frequent than outages, and an attacker could send many. */
const READY_TTL_MS = 1_000;

const methodNotAllowed: MiddlewareHandler = async (c, next) => {
  if (c.req.method === "GET" || c.req.method === "HEAD") return next();
  return c.text("Method Not Allowed\n", 405, { Allow: "GET, HEAD" });
};

/** For the Supabase services that the site doesn't have. Clients expect JSON. */
const noService = (name: string) => (c: Context) =>
  c.json({ code: "NOT_FOUND", message: `This site has no ${name} service` }, 404);

/**
 * React Router throws if a path can't be decoded as UTF-8. None of its routes, not even the one for all other paths,
 * matches a line terminator.
 */
function canBeRouted(path: string): boolean {
  try {
    return !/[\n\r\u2028\u2029]/.test(decodeURI(path));
  } catch {
    return false;
  }
}

function pageRequest(c: Context): PageRequest {
  const { pathname, search } = new URL(c.req.url);
  // /not-found is not a page, so the response is 404.
  const path = canBeRouted(pathname) ? pathname : `/not-found${pathname.endsWith(".data") ? ".data" : ""}`;
  return {
    address: pageAddress({ pathname: path, search }),
    siteTitle: c.var.siteTitle,
    reportFailure: c.var.reportFailure,
  };
}

/** Middleware and routes run in the order in which this function registers them. */
export async function createApp(settings: Settings, api: BackendApi, events: BackendEvents, log: Log) {
  const application = await loadApplication();
  const { isProduction } = application;
  const render = createRenderer(log);
  const pageCache = createPageCache();
  const readiness = cacheResult(api.ready, READY_TTL_MS);
  const metrics = createMetrics({ ...api, ready: readiness, pageCacheCounts: pageCache.counts });
  events.on("write", pageCache.markStale);
  events.on("signInFailed", metrics.signInFailed);
  const failedEmails = createFailedEmails();
  const emailHandled = (isSent: boolean) => {
    metrics.emailHandled(isSent);
    failedEmails.handled(isSent);
  };
  events.on("email", emailHandled);
  const { data } = api;
  const clientOf = clientKey(settings.trustedProxies);
  const joinParts = { settings, adminAccess: api.adminAccess, mail: api.joinMail, addressOf: clientOf };
  const logo = settings.siteLogo;
  const renderPage = createPages({
    site: () => ({
      url: settings.siteUrl,
      backend: api.published,
      signIn: api.signInMethods(),
      logo: logo?.address,
      footerLinks: settings.footerLinks,
      acceptsReports: settings.acceptsReports,
    }),
    handleRequest: application.handleRequest,
    data,
    render,
    readJoinState: createJoinReader(joinParts),
  });

  const app = new Hono();
  app.use(commonHeaders(securityHeaders(settings, isProduction)));
  app.use(accessLog(log, clientOf));
  app.use(metrics.middleware);
  app.use(warnAboutProxy(settings.trustedProxies, log));

  const processId = randomUUID();
  let isStopping = false;
  app.get("/healthz", (context) =>
    isStopping
      ? context.text("stopping\n", 503)
      : context.text(`ok ${VERSION}\n`, 200, { [PROCESS_HEADER]: processId }),
  );
  app.get("/readyz", async (context) =>
    (await readiness())
      ? context.text("ready\n")
      : context.text("the database is not responding\n", 503, { "Retry-After": "2" }),
  );
  const { metricsToken: token } = settings;
  // Even local clients need the token: behind a reverse proxy on this machine, every client looks local.
  if (token) app.get("/metrics", bearerAuth({ token, realm: "metrics" }), metrics.handler);

  allowOrigins(app, settings.apiOrigins);
  // `/rest/v1`, `/auth/v1` and `/storage/v1`
  app.route("/", api.routes);
  // Operators pass on links themselves if there is no mail server.
  const sendEmail = settings.smtp && createEmailSender(settings, log, () => undefined, emailHandled);
  const { adminAccess } = api;
  const admin = createAdmin({
    protect: api.protect,
    operators: api.operators,
    addressOf: clientOf,
    adminAccess,
    settings,
    sendEmail,
    log,
    readState: (context) =>
      readState(context, api.statistics, async () => {
        const findings = await runChecks(settings, chooseBackend(settings), true, log);
        return settings.smtp ? [...findings, failedEmails.finding()] : findings;
      }),
    onWrite: pageCache.markStale,
  });
  app.route("/admin/v1", admin);

  for (const missing of ["realtime", "functions"]) app.all(`/${missing}/v1/*`, noService(missing));

  // Password managers open this address to change a password (W3C, "A Well-Known URL for Changing Passwords").
  app.get("/.well-known/change-password", (context) => context.redirect("/profile", 302));
  app.get("/favicon.ico", (context) => context.redirect("/favicon.svg", 301));
  if (logo) {
    const headers = { "Content-Type": logo.contentType, "Cache-Control": ONE_YEAR };
    app.get(logo.address, (context) => context.body(logo.bytes, 200, headers));
  }
  application.mountStaticFiles(app);
  const pageSlots = limitConcurrency(LIMITS.concurrency.pages, clientOf);
  app.use("/join/*", setSiteTitle(settings));
  const joinForm = createJoinForm({
    ...joinParts,
    protect: api.protect,
    limiter: pageSlots,
    renderPage: (c, joinState) => renderPage({ ...pageRequest(c), joinState }),
  });
  app.route("/", joinForm);
  const reportEmails = createReportEmails({ settings, adminAccess, sendEmail, log });
  const reportForm = createReportForm({
    settings,
    protect: api.protect,
    limiter: pageSlots,
    addressOf: clientOf,
    adminAccess,
    renderPage: (c, sent) => renderPage({ ...pageRequest(c), sent }),
    onReport: () => void reportEmails.run(),
  });
  app.use("/report/*", setSiteTitle(settings));
  app.route("/", reportForm);
  app.all("*", methodNotAllowed);
  app.use(redirectToCanonicalPath);

  app.use(notModified);
  mountFeedTypes(app);
  app.use(setSiteTitle(settings));
  // Cached pages cost almost nothing, so they are served before the limits apply.
  if (isProduction) app.use(pageCache.serveFresh);
  // The built-in backend adds failed reads to the log line of the page's request, which it finds in this storage.
  const requestStorage = contextStorage();
  app.get(
    "/cards/*",
    requestStorage,
    limitConcurrency(LIMITS.concurrency.cards, clientOf),
    createCards(data, log),
  );
  const slowSearchSlots = limitConcurrency(LIMITS.concurrency.slowSearches, clientOf);
  app.use(requestStorage, async (context, next) => {
    const search = await application.searchAt(new URL(context.req.url));
    return (isSlowSearch(search) ? slowSearchSlots : pageSlots)(context, next);
  });
  if (isProduction) app.use(pageCache.renderAndStore);
  app.route("/", createFeeds(data, render, settings.siteUrl));
  app.route("/", createFormats(data, settings.siteUrl, api.published));
  const page = (c: Context) => renderPage(pageRequest(c));
  // Register a route per page only to label the metrics. React Router matches the paths itself.
  for (const path of [...application.routePaths, "/:data{.+\\.data}"]) app.get(path, page);
  app.notFound(page);

  app.onError((error, context) => {
    if (error instanceof ClientDisconnectedError) return disconnectedResponse();
    if (error instanceof RetryLaterError) {
      const { status, message, retryAfterSeconds } = error;
      const headers = { "Cache-Control": "no-store", "Retry-After": String(retryAfterSeconds) };
      return context.text(`${message}. Please try again shortly.\n`, status, headers);
    }
    if (error instanceof HTTPException) return error.getResponse();
    if (error instanceof BodyTooLargeError) return context.text("Payload Too Large\n", 413);
    if (error instanceof BodyTooSlowError) return context.text("Request Timeout\n", 408);
    context.get("reportFailure")({ reason: error.message }, "request.failed");
    const headers = { "Cache-Control": "no-store", "Retry-After": "2" };
    return context.text("Something went wrong. Please try again in a moment.\n", 503, headers);
  });

  // A Supabase project without its secret key has no reports that the site could read.
  const canReadReports = settings.supabase === undefined || settings.supabase.secretKey !== undefined;

  return {
    fetch: app.fetch,
    /** Starts the work that needs no request. */
    start(): void {
      if (canReadReports) reportEmails.start();
    },
    /** Waits for that work. */
    stop: reportEmails.stop,
    /** Makes `/healthz` respond with 503, so that proxies choose other processes. Other requests are still served. */
    announceStop() {
      isStopping = true;
    },
  };
}
