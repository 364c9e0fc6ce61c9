import { LIMITS } from "../../config/limits.ts";
import type { Shape } from "../parse/headers.ts";
import { RestError } from "../rest-error.ts";
import { raw, type Sql, sql } from "./sql.ts";

/** The single row that every statement returns. PostgreSQL builds the JSON in `body`. */
export interface Result {
  body: string | null;
  rows: number;
  isTooLarge: boolean;
  total: number | null;
}

const MAX_BODY_BYTES = raw(String(LIMITS.data.responseBytes));

export function selectResult(rows: Sql, shape: Shape | "none", moreColumns: Sql, json?: Sql): Sql {
  if (shape === "none") {
    return sql`select null::text as body, count(*)::int as rows, false as "isTooLarge", ${moreColumns} from (${rows}) as r`;
  }
  const body = shape === "object" ? sql`${jsonList()} -> 0` : jsonList();
  return sql`select case when coalesce(max(bytes), 0) <= ${MAX_BODY_BYTES} then (${body})::text end as body,
    count(*)::int as rows, coalesce(max(bytes), 0) > ${MAX_BODY_BYTES} as "isTooLarge", ${moreColumns}
    from (${selectSized(rows, json)}) as r`;
}

/**
 * Selects each row as JSON, with the size in bytes of the JSON up to and including this row. `offset 0` stops the
 * planner from building each row's JSON twice.
 */
export function selectSized(rows: Sql, json: Sql = sql`row_to_json(r)`): Sql {
  return sql`select json, sum(octet_length(json::text)) over (rows unbounded preceding) as bytes
    from (select ${json} as json from (${rows}) as r offset 0) as r`;
}

/**
 * Omits the rows after the one that exceeds the size limit, so that the list can't fill the memory. The client gets
 * an error (`isTooLarge`) instead of the shortened list.
 */
export function jsonList(): Sql {
  return sql`coalesce(json_agg(json) filter (where bytes - octet_length(json::text) <= ${MAX_BODY_BYTES}), '[]')`;
}

/** Throws RestError 54000. */
export function checkSize({ isTooLarge }: Result): void {
  if (!isTooLarge) return;
  throw new RestError(400, "54000", "The response is too large", {
    hint: "Request fewer rows with limit and offset, or fewer columns with select.",
  });
}
