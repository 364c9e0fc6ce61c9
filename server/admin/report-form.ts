import { type Context, Hono, type MiddlewareHandler } from "hono";
import { csrf } from "hono/csrf";
import type { Reported, ReportResult, ReportValues } from "../../common/data/report-rules.ts";
import type { PipelineVariables, Protect } from "../api/pipeline.ts";
import { LIMITS } from "../config/limits.ts";
import type { Settings } from "../config/settings.ts";
import { type AdminAccess, createAdminClient } from "./admin-client.ts";
import { addReport } from "./reports.ts";

interface ReportEnv {
  Variables: PipelineVariables;
}

export interface ReportFormDependencies {
  settings: Pick<Settings, "siteUrl" | "acceptsReports">;
  protect: Protect;
  limiter: MiddlewareHandler<ReportEnv>;
  /** The limits' key for the client's network address. */
  addressOf(c: Context): string;
  adminAccess(): Promise<AdminAccess>;
  /** Renders the form's page as the response to the sent form. */
  renderPage(c: Context, sent: SentReport): Promise<Response>;
  /** Called after a report was accepted. */
  onReport(): void;
}

/** A sent form, and what its page's action calls. */
interface SentReport {
  body: string;
  addReport(reported: Reported, values: ReportValues): Promise<ReportResult>;
}

/**
 * Accepts the form of `/report/{list}/{id}` (contract, "Reports"). The page's action reads the form, so that its response
 * contains what the reader typed. Responds with 403 to forms of other sites, and to clients that don't say which site the
 * form is on.
 */
export function createReportForm(dependencies: ReportFormDependencies): Hono<ReportEnv> {
  const { settings, protect, limiter, addressOf, adminAccess, renderPage, onReport } = dependencies;
  const form = new Hono<ReportEnv>();
  if (!settings.acceptsReports) {
    form.post("/report/:list/:id", (c) => c.text("Not Found\n", 404));
    return form;
  }

  const sameSite = csrf({
    // The request's own URL begins with http if a proxy ends TLS.
    origin: (origin, c) => origin === settings.siteUrl || origin === new URL(c.req.url).origin,
  });
  const body = { maxBytes: LIMITS.reports.bodyBytes };
  const protectForm = protect<ReportEnv>({
    identify: () => ({ role: "anon" }),
    body,
    limiter,
    disk: "grows",
  });

  form.post("/report/:list/:id", requireFormBody, sameSite, protectForm, (c) =>
    renderPage(c, {
      body: new TextDecoder().decode(c.var.bytes),
      async addReport(reported, values) {
        const site = createAdminClient(await adminAccess());
        const result = await addReport(site, reported, values, addressOf(c));
        if (result.is === "accepted") onReport();
        return result;
      },
    }),
  );
  return form;
}

const requireFormBody: MiddlewareHandler = async (c, next) => {
  const type = c.req.header("Content-Type")?.split(";")[0]?.trim().toLowerCase();
  if (type === "application/x-www-form-urlencoded") return next();
  return c.text("Unsupported Media Type\n", 415);
};
