import type { Finding } from "../../common/data/operators.ts";

const DAY_MS = 24 * 3_600_000;

/** Remembers the emails of this process that could not be sent, for the operators' page. */
export function createFailedEmails(now: () => number = Date.now) {
  let count = 0;
  let last = 0;
  return {
    handled(isSent: boolean): void {
      if (isSent) return;
      count = now() - last > DAY_MS ? 1 : count + 1;
      last = now();
    },
    /** A failure is a problem for a day. */
    finding(): Finding {
      const isProblem = count > 0 && now() - last <= DAY_MS;
      const text = isProblem
        ? `${count} ${count === 1 ? "email" : "emails"} could not be sent, the last at ${new Date(last).toISOString()}. The log has the reasons (mail.failed).`
        : "No email has failed in the last 24 hours.";
      return { topic: "emails", isProblem, text };
    },
  };
}
