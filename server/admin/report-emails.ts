import { reportsEmail } from "../auth/emails.ts";
import type { SendEmail } from "../auth/send-email.ts";
import { errorName } from "../config/error-message.ts";
import type { Settings } from "../config/settings.ts";
import type { Log } from "../http/log.ts";
import { type AdminAccess, createAdminClient } from "./admin-client.ts";

const HOUR_MS = 3_600_000;

export interface ReportEmailsDependencies {
  settings: Pick<Settings, "acceptsReports" | "siteUrl" | "siteName" | "mailTemplates">;
  adminAccess(): Promise<AdminAccess>;
  /** Undefined if there is no mail server. Operators then see new reports only on their page. */
  sendEmail: SendEmail | undefined;
  log: Log;
}

interface Claim {
  claimed_at: string;
  operators: string[];
}

/**
 * Removes old reports, and emails the operators about new ones. The database lets one of all processes send the emails, at most
 * once a day.
 */
export function createReportEmails({ settings, adminAccess, sendEmail, log }: ReportEmailsDependencies) {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  async function work(): Promise<void> {
    const site = createAdminClient(await adminAccess());
    await site.data.rpc("remove_old_reports").throwOnError();
    if (!sendEmail || !settings.acceptsReports) return;
    const claims: Claim[] = (await site.data.rpc("claim_report_email").throwOnError()).data;
    const [claim] = claims;
    if (!claim || claim.operators.length === 0) return;
    let sent = 0;
    for (const operator of claim.operators) {
      const email = reportsEmail(settings, operator, `${settings.siteUrl}/admin#reports`);
      await sendEmail(email).then(
        () => sent++,
        (error: unknown) => log.error({ kind: "reports", reason: errorName(error) }, "mail.failed"),
      );
    }
    // Another attempt follows within an hour.
    const { claimed_at } = claim;
    if (sent === 0) await site.data.rpc("release_report_email", { claimed_at }).throwOnError();
  }

  /** Works after the work that is under way. Never rejects. */
  function run(): Promise<void> {
    running = running.then(work).catch((error: unknown) => {
      log.warn({ reason: errorName(error) }, "reports.failed");
    });
    return running;
  }

  return {
    run,
    /** Works now and every hour, until `stop` is called. */
    start(): void {
      void run();
      timer = setInterval(() => void run(), HOUR_MS).unref();
    },
    /** Waits for the work that is under way. */
    async stop(): Promise<void> {
      clearInterval(timer);
      await running;
    },
  };
}
