import { contentRange, OBJECT_TYPE, rangeStatus, type Shape } from "./parse/headers.ts";
import { RestError } from "./rest-error.ts";
import type { Mutation, MutationResult } from "./sql/mutations.ts";
import type { Result } from "./sql/result.ts";

const contentType = (shape: Shape) =>
  `${shape === "object" ? OBJECT_TYPE : "application/json"}; charset=utf-8`;

export function checkResult(shape: Shape, { isTooLarge }: Result, rows: number): void {
  if (shape === "object" && rows !== 1)
    throw new RestError(406, "PGRST116", "Cannot coerce the result to a single JSON object", {
      details: `The result contains ${rows} rows`,
    });
  if (isTooLarge)
    throw new RestError(400, "54000", "The response is too large", {
      hint: "Request fewer rows with limit and offset, or fewer columns with select.",
    });
}

export function readResponse(result: Result, shape: Shape, offset: number): Response {
  const { body, rows, total } = result;
  checkResult(shape, result, rows);
  return new Response(body, {
    status: rangeStatus(offset, rows, total),
    headers: {
      "content-type": contentType(shape),
      "cache-control": "no-store",
      "content-range": contentRange(offset, rows, total),
    },
  });
}

export function writeResponse(
  method: string,
  { table, shape, prefer }: Mutation,
  { body, affected, inserted, keys }: MutationResult,
): Response {
  const created = prefer.duplicates === "merge" && inserted === 0 ? 200 : 201;
  const changed = prefer.wantsRows ? 200 : 204;
  return new Response(body, {
    status: method === "POST" ? created : changed,
    headers: {
      "cache-control": "no-store",
      // PostgREST numbers the rows of an update, but not those of an insert or a delete.
      "content-range": contentRange(
        0,
        method === "PATCH" ? affected : 0,
        prefer.wantsCount ? affected : null,
      ),
      ...(keys?.[0] && { location: locationOf(table.name, keys[0]) }),
      ...(body !== null && { "content-type": contentType(shape) }),
    },
  });
}

/** The row's path after `/rest/v1`, as in PostgREST. */
function locationOf(table: string, key: Record<string, string>): string {
  const filters = Object.entries(key).map(([column, value]) => [column, `eq.${value}`]);
  return `/${encodeURIComponent(table)}?${new URLSearchParams(filters)}`;
}
