import { contentRange, OBJECT_TYPE, type Preferences, rangeStatus, type Shape } from "./parse/headers.ts";
import type { Call, Mutation, Read } from "./parse/request.ts";
import { RestError } from "./rest-error.ts";
import type { Table } from "./schema-cache.ts";
import type { MutationResult } from "./sql/mutations.ts";
import { checkSize, type Result } from "./sql/result.ts";

const contentType = (shape: Shape) =>
  `${shape === "object" ? OBJECT_TYPE : "application/json"}; charset=utf-8`;

/** Throws RestError PGRST116 or 54000. */
function checkResult(shape: Shape, result: Result, rows: number): void {
  if (shape === "object" && rows !== 1)
    throw new RestError(406, "PGRST116", "Cannot coerce the result to a single JSON object", {
      details: `The result contains ${rows} rows`,
    });
  checkSize(result);
}

/** Throws RestError PGRST116, PGRST124 or 54000. */
export function checkMutation(mutation: Mutation, result: MutationResult): MutationResult {
  const { shape, returned, maxAffected } = mutation;
  const { rows, affected } = result;
  if (affected > maxAffected)
    throw new RestError(400, "PGRST124", "Query result exceeds max-affected preference constraint", {
      details: `The query affects ${affected} rows`,
    });
  checkResult(shape, result, typeof returned === "string" ? affected : rows);
  return result;
}

export interface ResponseParts {
  body: string | null;
  status: number;
  headers: Record<string, string>;
}

export function readResponse(
  result: Result,
  { shape, preferences, rows: { offset } }: Read | Call,
): ResponseParts {
  const { body, rows, total } = result;
  checkResult(shape, result, rows);
  return {
    body,
    status: rangeStatus(offset, rows, total),
    headers: {
      "content-type": contentType(shape),
      "cache-control": "no-store",
      "content-range": contentRange(offset, rows, total),
      ...applied(preferences),
    },
  };
}

export function writeResponse(
  table: Table,
  mutation: Mutation,
  { body, affected, inserted, keys }: MutationResult,
): ResponseParts {
  const { shape, preferences, wantsCount } = mutation;
  return {
    body,
    status: writeStatus(mutation, inserted),
    headers: {
      "cache-control": "no-store",
      // PostgREST numbers the rows of an update, but not those of an insert or a delete.
      "content-range": contentRange(
        0,
        mutation.kind === "update" ? affected : 0,
        wantsCount ? affected : null,
      ),
      ...applied(preferences),
      ...(keys?.[0] && { location: locationOf(table.name, keys[0]) }),
      ...(body !== null && { "content-type": contentType(shape) }),
    },
  };
}

function writeStatus(mutation: Mutation, inserted: number): number {
  if (mutation.kind === "insert") return 201;
  if (mutation.kind === "upsert") return mutation.duplicates === "merge" && inserted === 0 ? 200 : 201;
  return typeof mutation.returned === "string" ? 204 : 200;
}

/** Names the preferences that the request applied. Clients can conclude which ones it ignored (RFC 7240 §3). */
function applied(preferences: Preferences): Record<string, string> {
  if (preferences.size === 0) return {};
  const list = [...preferences].map(([name, value]) => `${name}=${value}`);
  return { "preference-applied": list.join(", ") };
}

/** The row's path after `/rest/v1`, as in PostgREST. */
function locationOf(table: string, key: Record<string, string>): string {
  const filters = Object.entries(key).map(([column, value]) => [column, `eq.${value}`]);
  return `/${encodeURIComponent(table)}?${new URLSearchParams(filters)}`;
}
