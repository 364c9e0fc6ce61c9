import type { PostgrestError } from "@supabase/postgrest-js";

/** A hosted project cuts every answer at this many rows (supabase/config.toml, `max_rows`). */
const PAGE_SIZE = 1000;

type Answer<Row> = PromiseLike<{ data: Row[] | null; error: PostgrestError | null }>;

/** Asks page by page, with the indexes of the first and last row. The query must be ordered by something unique. */
export async function allRows<Row>(ask: (first: number, last: number) => Answer<Row>): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const { data, error } = await ask(rows.length, rows.length + PAGE_SIZE - 1);
    if (error) throw error;
    rows.push(...(data ?? []));
    if ((data ?? []).length < PAGE_SIZE) return rows;
  }
}
