import { type Context, Hono, type MiddlewareHandler } from "hono";
import { contextStorage } from "hono/context-storage";
import { isSlowSearch } from "../common/data/content-reads.ts";
import { createAdmin } from "./admin/admin-routes.ts";
import { createJoinForm, createJoinReader } from "./admin/join-form.ts";
import { createReportEmails } from "./admin/report-emails.ts";
import { createReportForm } from "./admin/report-form.ts";
import { readState } from "./admin/state.ts";
import { createFailedEmails } from "./auth/failed-emails.ts";
import { createEmailSender } from "./auth/send-email.ts";
import { chooseBackend } from "./backends/choose.ts";
import type { BackendApi, BackendEvents } from "./backends/types.ts";
import { runChecks } from "./cli/checks.ts";
import { LIMITS } from "./config/limits.ts";
import type { Settings } from "./config/settings.ts";
import { errorResponse } from "./error-response.ts";
import { createCards } from "./feeds/cards/cards.ts";
import { createFeeds, mountFeedTypes } from "./feeds/feeds.ts";
import { createFormats } from "./formats/formats.ts";
import { accessLog } from "./http/access-log.ts";
import { allowOrigins } from "./http/allow-origins.ts";
import { cacheResult } from "./http/cache-result.ts";
import { clientKey, warnAboutProxy } from "./http/client-address.ts";
import { commonHeaders } from "./http/common-headers.ts";
import { createHealth } from "./http/health.ts";
import { limitConcurrency } from "./http/limit-concurrency.ts";
import type { Log } from "./http/log.ts";
import { createMetrics } from "./http/metrics.ts";
import { notModified } from "./http/not-modified.ts";
import { securityHeaders } from "./http/security-headers.ts";
import { loadApplication, ONE_YEAR } from "./pages/application.ts";
import { pageAddress, redirectToCanonicalPath } from "./pages/page-address.ts";
import { createPageCache } from "./pages/page-cache.ts";
import { createPages, type PageRequest } from "./pages/pages.ts";
import { setSiteTitle } from "./pages/site-title.ts";
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

/** Middleware and routes run in the order in which this function registers them: one group after the other. */
export async function createApp(settings: Settings, api: BackendApi, events: BackendEvents, log: Log) {
  const { data, adminAccess, protect } = api;
  const application = await loadApplication();
  const { isProduction } = application;
  const render = createRenderer(log);
  const pageCache = createPageCache();
  const readiness = cacheResult(api.ready, READY_TTL_MS);
  const metrics = createMetrics({ ...api, ready: readiness, pageCacheCounts: pageCache.counts });
  const health = createHealth({
    ready: readiness,
    metrics: metrics.handler,
    metricsToken: settings.metricsToken,
  });
  const failedEmails = createFailedEmails();
  const emailHandled = (isSent: boolean) => {
    metrics.emailHandled(isSent);
    failedEmails.handled(isSent);
  };
  events.on("write", pageCache.markStale);
  events.on("signInFailed", metrics.signInFailed);
  events.on("email", emailHandled);
  // Operators pass on links themselves if the site has no mail server.
  const sendEmail = settings.smtp && createEmailSender(settings, log, () => undefined, emailHandled);
  const reportEmails = createReportEmails({ settings, adminAccess, sendEmail, log });
  const clientOf = clientKey(settings.trustedProxies);
  const pageSlots = limitConcurrency(LIMITS.concurrency.pages, clientOf);
  const joinDependencies = { settings, adminAccess, mail: api.joinMail, addressOf: clientOf };
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
    readJoinState: createJoinReader(joinDependencies),
  });
  const app = new Hono();

  /** First, so that every response has the headers, a line in the log and a place in the metrics. */
  function observeRequests(): void {
    app.use(commonHeaders(securityHeaders(settings, isProduction)));
    app.use(accessLog(log, clientOf));
    app.use(metrics.middleware);
    app.use(warnAboutProxy(settings.trustedProxies, log));
  }

  /** Before the pages, because each of these has its own access rules, limits and format of errors. */
  function serveDataInterfaces(): void {
    allowOrigins(app, settings.apiOrigins);
    // `/rest/v1`, `/auth/v1` and `/storage/v1`
    app.route("/", api.routes);
    const admin = createAdmin({
      protect,
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
    for (const missing of ["realtime", "functions", "graphql"])
      app.all(`/${missing}/v1/*`, noService(missing));
  }

  /** Before the pages' limits and cache, because a file in memory or on disk costs almost nothing. */
  function serveFiles(): void {
    // Password managers open this address to change a password (W3C, "A Well-Known URL for Changing Passwords").
    app.get("/.well-known/change-password", (c) => c.redirect("/profile", 302));
    app.get("/favicon.ico", (c) => c.redirect("/favicon.svg", 301));
    if (logo) {
      const headers = { "Content-Type": logo.contentType, "Cache-Control": ONE_YEAR };
      app.get(logo.address, (c) => c.body(logo.bytes, 200, headers));
    }
    application.mountStaticFiles(app);
  }

  /** The pages that accept POST. All other pages reject it, and they follow. */
  function acceptForms(): void {
    for (const path of ["/join/*", "/report/*"]) app.use(path, setSiteTitle(settings));
    const joinForm = createJoinForm({
      ...joinDependencies,
      protect,
      limiter: pageSlots,
      renderPage: (c, joinState) => renderPage({ ...pageRequest(c), joinState }),
    });
    app.route("/", joinForm);
    const reportForm = createReportForm({
      settings,
      protect,
      limiter: pageSlots,
      addressOf: clientOf,
      adminAccess,
      renderPage: (c, sent) => renderPage({ ...pageRequest(c), sent }),
      onReport: () => void reportEmails.run(),
    });
    app.route("/", reportForm);
    app.all("*", methodNotAllowed);
  }

  /** Last, because React Router answers every remaining address. */
  function servePages(): void {
    app.use(redirectToCanonicalPath);
    app.use(notModified);
    mountFeedTypes(app);
    app.use(setSiteTitle(settings));
    // Cached pages cost almost nothing, so they are served before the limits apply.
    if (isProduction) app.use(pageCache.serveFresh);
    // The built-in backend adds failed reads to the log line of the page's request, which it finds in this storage.
    const requestStorage = contextStorage();
    const cardSlots = limitConcurrency(LIMITS.concurrency.cards, clientOf);
    app.get("/cards/*", requestStorage, cardSlots, createCards(data));
    const slowSearchSlots = limitConcurrency(LIMITS.concurrency.slowSearches, clientOf);
    app.use(requestStorage, async (c, next) => {
      const search = await application.searchAt(new URL(c.req.url));
      return (isSlowSearch(search) ? slowSearchSlots : pageSlots)(c, next);
    });
    if (isProduction) app.use(pageCache.renderAndStore);
    app.route("/", createFeeds(data, render, settings.siteUrl));
    app.route("/", createFormats(data, settings.siteUrl, api.published));
    const page = (c: Context) => renderPage(pageRequest(c));
    // Register a route per page only to label the metrics. React Router matches the paths itself.
    for (const path of [...application.routePaths, "/:data{.+\\.data}"]) app.get(path, page);
    app.notFound(page);
  }

  observeRequests();
  // Before everything that a client could keep busy.
  app.route("/", health.routes);
  serveDataInterfaces();
  serveFiles();
  acceptForms();
  servePages();
  app.onError(errorResponse);

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
    announceStop: health.announceStop,
  };
}
