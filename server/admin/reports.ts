import { hasText } from "../../common/data/has-text.ts";
import type { ReportedGroup } from "../../common/data/operators.ts";
import type { Reported, ReportResult, ReportValues } from "../../common/data/report-rules.ts";
import { MAX_REASON_CHARACTERS } from "../../common/data/report-rules.ts";
import { normalizeEmail } from "../auth/email-address.ts";
import { LIMITS } from "../config/limits.ts";
import type { AdminClient } from "./admin-client.ts";

/** Stores what a reader typed. `client` is the key of the limit. Throws OperatorError, TemporaryError or PostgrestError. */
export async function addReport(
  { data }: AdminClient,
  { table, id }: Reported,
  typed: ReportValues,
  client: string,
): Promise<ReportResult> {
  // Browsers send line breaks as CRLF, but count them as one character. PostgreSQL rejects NUL.
  const reason = typed.reason.replaceAll("\r\n", "\n").replaceAll("\0", "").toWellFormed().trim();
  if (!hasText(reason)) return { is: "rejected", field: "reason", problem: "Enter a reason." };
  const length = [...reason].length;
  if (length > MAX_REASON_CHARACTERS) {
    const most = MAX_REASON_CHARACTERS.toLocaleString("en");
    const problem = `Use at most ${most} characters. The reason has ${length.toLocaleString("en")}.`;
    return { is: "rejected", field: "reason", problem };
  }
  const email = hasText(typed.email) ? normalizeEmail(typed.email) : "";
  if (email === undefined)
    return { is: "rejected", field: "email", problem: "Enter an email address, or leave the field empty." };
  const added: { wait_seconds: number }[] = (
    await data
      .rpc("add_report", {
        subject_table: table,
        subject_id: id,
        reason,
        email,
        client,
        max_per_hour: LIMITS.reports.perHour,
        max_per_subject: LIMITS.reports.open,
      })
      .throwOnError()
  ).data;
  if (!added[0]) return { is: "unknown" };
  const { wait_seconds: waitSeconds } = added[0];
  return waitSeconds === 0 ? { is: "accepted" } : { is: "limited", waitSeconds };
}

export interface ReportCursor {
  count: number;
  latest: string;
  id: string;
}

/** Returns what was reported, the most reports first, starting after the cursor. */
export async function listReports(
  { data }: AdminClient,
  cursor: ReportCursor | undefined,
  size: number,
): Promise<ReportedGroup[]> {
  const position = cursor && {
    cursor_count: cursor.count,
    cursor_time: cursor.latest,
    cursor_id: cursor.id,
  };
  return (await data.rpc("list_reports", { ...position, page_size: size }).throwOnError()).data;
}

/** Removes the reports about an item or a person. Returns their number. */
export async function endReports({ data }: AdminClient, { table, id }: Reported): Promise<number> {
  const values = { subject_table: table, subject_id: id };
  const ended: { count: number }[] = (await data.rpc("end_reports", values).throwOnError()).data;
  return ended[0]?.count ?? 0;
}
