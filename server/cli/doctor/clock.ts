import { readMigrations } from "../../postgres/migrations.ts";
import { type Finding, ok, problem } from "./finding.ts";

// Tokens live for hours; much more than this and a new one counts as not valid yet, or links are out of date.
const tolerance = 30_000;

/** Takes the time now, returns whether this machine's clock can be right at all. */
export async function checkClock(now: Date): Promise<Finding> {
  // A migration's version is the day it was written (the Supabase CLI's convention).
  const newest = (await readMigrations()).at(-1)?.version ?? "";
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)/.exec(newest) ?? [];
  if (now.getTime() < Date.UTC(Number(year), Number(month) - 1, Number(day))) {
    return problem(
      "clock",
      `The clock says ${now.toISOString()}, which is before this release: set it (NTP).`,
    );
  }
  return ok("clock", `The clock says ${now.toISOString()}.`);
}

/** Takes whose clock it is and what it says, returns whether ours agrees. */
export function compareClocks(whose: string, theirs: Date, now = new Date()): Finding {
  const difference = now.getTime() - theirs.getTime();
  if (Math.abs(difference) <= tolerance) return ok("clock", `The clock agrees with that of ${whose}.`);
  const seconds = Math.round(Math.abs(difference) / 1_000);
  return problem(
    "clock",
    `The clock is ${seconds} seconds ${difference > 0 ? "ahead of" : "behind"} that of ${whose}: set both by NTP.`,
  );
}
