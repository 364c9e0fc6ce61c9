import { contentRange, OBJECT_TYPE, rangeStatus, type Shape } from "./parse/headers.ts";
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

export function readResponse({ body, rows, total }: Result, shape: Shape, offset: number): Response {
  return new Response(body, {
    status: rangeStatus(offset, rows, total),
    headers: {
      "content-type": TYPES[shape],
      "cache-control": "no-store",
      "content-range": contentRange(offset, rows, total),
    },
  });
}

/** 201, or 200 when an upsert found every row there. */
export function insertResponse(write: Write, result: WriteResult): Response {
  const isMerged = write.prefer.duplicates === "merge" && result.inserted === 0;
  return writeResponse(write, result, { status: isMerged ? 200 : 201, rows: 0 });
}

export function updateResponse(write: Write, result: WriteResult): Response {
  return writeResponse(write, result, { status: changeStatus(write), rows: result.affected });
}

export function deleteResponse(write: Write, result: WriteResult): Response {
  return writeResponse(write, result, { status: changeStatus(write), rows: 0 });
}

const changeStatus = ({ prefer }: Write) => (prefer.wantsRows ? 200 : 204);

function writeResponse(
  { shape, prefer }: Write,
  { body, affected }: WriteResult,
  { status, rows }: { status: number; rows: number },
): Response {
  return new Response(body, {
    status,
    headers: {
      "cache-control": "no-store",
      "content-range": contentRange(0, rows, prefer.wantsCount ? affected : null),
      ...(body !== null && { "content-type": TYPES[shape] }),
    },
  });
}
