import type { AdminClient } from "../admin/admin-client.ts";
import type { AdminContext } from "../admin/admin-context.ts";
import { lineOf, machineUser, storeEntry } from "../admin/operator-log.ts";
import { createEmailSender } from "../auth/send-email.ts";
import { createLog } from "../http/log.ts";
import type { Program } from "./program.ts";

/** Returns what actions need to run as a command. Each action logs one line of JSON on standard error. */
export function commandContext(site: AdminClient, { settings, print }: Program): AdminContext {
  const user = machineUser();
  return {
    site,
    settings,
    sendEmail: settings.smtp && createEmailSender(settings, createLog(), print),
    async record(entry) {
      writeLine({ event: entry.action, user, ...lineOf(entry) });
      const problem = await storeEntry(site, { id: null, name: user }, entry);
      if (problem !== undefined) writeLine({ event: "operator_log.failed", reason: problem });
    },
  };
}

function writeLine(line: Record<string, unknown>): void {
  process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), ...line })}\n`);
}
