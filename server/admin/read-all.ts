import { PostgrestError } from "@supabase/postgrest-js";
import { TOO_LARGE } from "../../common/data/reader.ts";

/** Larger pages take less time: 1.9 instead of 2.3 s for 100,000 items. */
const ROWS_PER_PAGE = 5_000;

/**
 * Reads pages until one is empty or until there are `limit` rows: a Supabase project returns at most 1,000 rows, so a
 * short page is not always the last one. If a response would be too large, halves the size of the pages.
 *
 * @param readPage reads up to `size` rows that follow the last of `rows`
 */
export async function readAll<Row>(
  readPage: (size: number, rows: Row[]) => PromiseLike<Row[]>,
  limit = Number.POSITIVE_INFINITY,
): Promise<Row[]> {
  const rows: Row[] = [];
  let pageSize = ROWS_PER_PAGE;
  while (rows.length < limit) {
    const size = Math.min(pageSize, limit - rows.length);
    try {
      const page = await readPage(size, rows);
      if (page.length === 0) break;
      for (const row of page) rows.push(row);
    } catch (error) {
      if (!(error instanceof PostgrestError && error.code === TOO_LARGE) || size === 1) throw error;
      pageSize = Math.ceil(size / 2);
    }
  }
  return rows;
}
