import { badRange, quoted, unreadable } from "../rest-error.ts";

export interface Page {
  limit: number | undefined;
  offset: number;
}

const INTEGER = /^-?\d{1,15}$/;
const RANGE_HEADER = /^(\d{1,15})-(\d{0,15})$/;

export function parseCount(name: "limit" | "offset", text: string): number {
  if (!INTEGER.test(text)) throw unreadable(`"failed to parse ${name} (${quoted(text)})" (line 1, column 1)`);
  const count = Number(text);
  if (count < 0) {
    const subject = name === "limit" ? "Limit" : "Offset";
    throw badRange(`${subject} should be greater than or equal to zero.`);
  }
  return count;
}

/** Both ends of `Range` are included; other units are ignored (RFC 9110 §14.2). Throws RestError PGRST103. */
export function narrow(page: Page, header: string | undefined): Page {
  const match = RANGE_HEADER.exec(header ?? "");
  if (match === null) return page;
  const first = Number(match[1]);
  const last = match[2] ? Number(match[2]) : Number.POSITIVE_INFINITY;
  if (first > last) {
    throw badRange(
      "The lower boundary must be lower than or equal to the upper boundary in the Range header.",
    );
  }
  const offset = Math.max(page.offset, first);
  const end = Math.min(
    last + 1,
    page.limit === undefined ? Number.POSITIVE_INFINITY : page.offset + page.limit,
  );
  if (page.limit === 0) return page;
  if (end <= offset) throw badRange("The Range header and the limit have no row in common.");
  return { offset, limit: end === Number.POSITIVE_INFINITY ? undefined : end - offset };
}

export function contentRange(offset: number, rows: number, total: number | null): string {
  return `${rows > 0 ? `${offset}-${offset + rows - 1}` : "*"}/${total ?? "*"}`;
}

/** 206 for a part of a known total. Throws RestError PGRST103 behind the last row. */
export function rangeStatus(offset: number, rows: number, total: number | null): 200 | 206 {
  if (total === null) return 200;
  if (offset > total) {
    const details = `An offset of ${offset} was requested, but there are only ${total} rows.`;
    throw badRange(details, { "content-range": `*/${total}` });
  }
  return rows < total ? 206 : 200;
}
