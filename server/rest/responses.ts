import { OBJECT_TYPE, type Shape } from "./parse/accept.ts";
import { type Preferences, preferenceApplied } from "./parse/prefer.ts";
import { contentRange, rangeStatus } from "./parse/range.ts";
import { notSingular, tooMuch } from "./rest-error.ts";
import type { Result } from "./sql/result.ts";
import type { Write, WriteResult } from "./sql/write.ts";

const TYPES: Record<Shape, string> = {
  array: "application/json; charset=utf-8",
  object: `${OBJECT_TYPE}; charset=utf-8`,
};

export function checkResult(shape: Shape, { isTooLarge }: Result, rows: number): void {
  if (shape === "object" && rows !== 1) throw notSingular(rows);
  if (isTooLarge) throw tooMuch();
}

export function readResponse(result: Result, shape: Shape, offset: number): Response {
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

/** 201, or 200 when an upsert found every row there. */
export function insertResponse(write: Write, result: WriteResult): Response {
  const { prefer } = write;
  const isMerged = prefer.resolution === "merge-duplicates" && result.inserted === 0;
  const range = contentRange(0, 0, totalOf(prefer, result));
  return writeResponse(write, result, { status: isMerged ? 200 : 201, range, applied: prefer });
}

export function updateResponse(write: Write, result: WriteResult): Response {
  const range = contentRange(0, result.affected, totalOf(write.prefer, result));
  return changeResponse(write, result, range);
}

export function deleteResponse(write: Write, result: WriteResult): Response {
  return changeResponse(write, result, contentRange(0, 0, totalOf(write.prefer, result)));
}

function changeResponse(write: Write, result: WriteResult, range: string): Response {
  const status = write.prefer.return === "representation" ? 200 : 204;
  return writeResponse(write, result, { status, range, applied: { ...write.prefer, resolution: undefined } });
}

function totalOf(prefer: Preferences, { affected }: WriteResult): number | null {
  return prefer.count === "exact" ? affected : null;
}

interface Outcome {
  status: 200 | 201 | 204;
  range: string;
  applied: Preferences;
}

function writeResponse({ shape }: Write, { body }: WriteResult, outcome: Outcome): Response {
  const headers = new Headers({
    "cache-control": "no-store",
    "content-range": outcome.range,
    ...preferenceApplied(outcome.applied),
  });
  if (body !== null) headers.set("content-type", TYPES[shape]);
  return new Response(body, { status: outcome.status, headers });
}
