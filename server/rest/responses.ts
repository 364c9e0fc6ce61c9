import { OBJECT_TYPE, type Shape } from "./parse/accept.ts";
import { type Preferences, preferenceApplied } from "./parse/prefer.ts";
import { contentRange, rangeStatus } from "./parse/range.ts";
import { notSingular, tooMuch } from "./rest-error.ts";
import type { Result } from "./sql/statement.ts";
import type { Write, WriteResult } from "./sql/write.ts";
import type { Table } from "./tables.ts";

const TYPES: Record<Shape, string> = {
  array: "application/json; charset=utf-8",
  object: `${OBJECT_TYPE}; charset=utf-8`,
};

/** Throws RestError PGRST116 unless a single object is one row, 54000 for more than one response may carry. */
export function checkResult(shape: Shape, { isTooLarge }: Result, rows: number): void {
  if (shape === "object" && rows !== 1) throw notSingular(rows);
  if (isTooLarge) throw tooMuch();
}

/** Takes a read's result and the position of its first row, returns the answer. Throws RestError PGRST103 behind the last row. */
export function readAnswer(result: Result, shape: Shape, offset: number): Response {
  const { body, rows, total } = result;
  return new Response(body, {
    status: rangeStatus(offset, rows, total),
    headers: {
      "content-type": TYPES[shape],
      "cache-control": "no-store",
      "content-range": contentRange(offset, rows, total),
      ...preferenceApplied({ count: total === null ? undefined : "exact" }),
    },
  });
}

/** Takes an insert and its result, returns the answer: 201, or 200 when an upsert found every row there. */
export function insertAnswer(write: Write, result: WriteResult): Response {
  const { prefer, table } = write;
  const merged = prefer.resolution === "merge-duplicates" && result.inserted === 0;
  const location =
    prefer.return === "headers-only" && result.affected === 1 ? locate(table, result.key ?? []) : undefined;
  return writeAnswer(write, result, {
    status: merged ? 200 : 201,
    range: contentRange(0, 0, totalOf(prefer, result)),
    applied: prefer,
    ...(location === undefined ? {} : { location }),
  });
}

function locate({ name, primaryKey }: Table, values: string[]): string {
  const key = primaryKey.map((column, at) => [column, `eq.${values[at]}`].map(encodeURIComponent).join("="));
  return `/${encodeURIComponent(name)}?${key.join("&")}`;
}

/** Takes an update and its result, returns the answer. */
export function updateAnswer(write: Write, result: WriteResult): Response {
  const { prefer } = write;
  return writeAnswer(write, result, {
    status: prefer.return === "representation" ? 200 : 204,
    range: contentRange(0, result.affected, totalOf(prefer, result)),
    applied: { ...prefer, resolution: undefined },
  });
}

/** Takes a delete and its result, returns the answer. */
export function deleteAnswer(write: Write, result: WriteResult): Response {
  const { prefer } = write;
  return writeAnswer(write, result, {
    status: prefer.return === "representation" ? 200 : 204,
    range: contentRange(0, 0, totalOf(prefer, result)),
    applied: { ...prefer, resolution: undefined, missing: undefined },
  });
}

function totalOf(prefer: Preferences, { affected }: WriteResult): number | null {
  return prefer.count === "exact" ? affected : null;
}

interface Outcome {
  status: 200 | 201 | 204;
  range: string;
  applied: Preferences;
  location?: string;
}

function writeAnswer(write: Write, { body }: WriteResult, outcome: Outcome): Response {
  const headers = new Headers({
    "cache-control": "no-store",
    "content-range": outcome.range,
    ...preferenceApplied(outcome.applied),
  });
  if (outcome.location !== undefined) headers.set("location", outcome.location);
  if (body !== null) headers.set("content-type", TYPES[write.shape]);
  return new Response(body, { status: outcome.status, headers });
}
