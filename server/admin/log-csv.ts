import type { LoggedAction } from "../../common/data/operators.ts";
import type { AdminClient } from "./admin-client.ts";
import { readLog } from "./operator-log.ts";

/** A Supabase project returns at most this many rows. */
const PAGE_SIZE = 1_000;
const COLUMNS = ["time", "operator", "source", "action", "target", "details"];

/**
 * Returns the entries that match, newest first, as CSV (RFC 4180) in a stream that reads a page at a time. Rejects if the
 * first page can't be read. The stream fails if a later one can't.
 */
export async function logAsCsv(
  site: AdminClient,
  search: string | undefined,
): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder();
  let page = await readLog(site, { search, size: PAGE_SIZE });
  let isStarted = false;
  return new ReadableStream({
    async pull(controller) {
      const text = page.map(csvRow).join("");
      controller.enqueue(encoder.encode(isStarted ? text : csvLine(COLUMNS) + text));
      isStarted = true;
      const last = page.at(-1);
      page =
        last === undefined || page.length < PAGE_SIZE
          ? []
          : await readLog(site, { search, cursor: last, size: PAGE_SIZE });
      if (page.length === 0) controller.close();
    },
  });
}

function csvRow({ created_at, operator_id, operator, action, target, details }: LoggedAction): string {
  const source = operator_id === null ? "command" : "page";
  return csvLine([created_at, operator, source, action, target, JSON.stringify(details)]);
}

/** Spreadsheets evaluate a cell that begins with one of these characters, and members choose titles. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** Returns a line of CSV (RFC 4180). An apostrophe keeps spreadsheets from evaluating a text as a formula. */
export function csvLine(values: readonly (string | null)[]): string {
  const cells = values.map((value) => {
    const text = value ?? "";
    const safe = FORMULA.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  });
  return `${cells.join(",")}\r\n`;
}
