import { useRead } from "../operation/use-read.ts";
import { callAdmin, errorMessage } from "./admin-api.ts";

interface Page<Row> {
  rows: Row[];
  isComplete: boolean;
}

/**
 * Reads a list of `/admin/v1` page by page. `cursorOf` returns the columns that continue the list after a row. A change
 * of `reloadKey` reads the first page again.
 */
export function useRows<Row>(
  path: string,
  search: string,
  cursorOf: (row: Row) => Partial<Row>,
  reloadKey = 0,
) {
  async function read(after?: Partial<Row>) {
    const query = new URLSearchParams({ q: search });
    if (after) query.set("after", JSON.stringify(after));
    return { ...(await callAdmin<Page<Row>>(`${path}?${query}`)), search };
  }
  const { value, error, hasFailed, isReading, reload, load, retry, change } = useRead(
    () => read(),
    `${reloadKey} ${search}`,
  );

  return {
    search,
    /** The rows that have been read, and the search that found them. */
    page: value,
    problem: hasFailed ? errorMessage(error) : null,
    isReading,
    reload,
    retry,
    async showMore() {
      const last = value?.rows.at(-1);
      if (!last) return;
      await load(async () => {
        const next = await read(cursorOf(last));
        return (current) => ({ ...next, rows: [...(current?.rows ?? []), ...next.rows] });
      });
    },
    /** Changes the rows that are on the screen now, which may be of a newer search than those of the last render. */
    change: (changed: (rows: Row[]) => Row[]) => change((page) => ({ ...page, rows: changed(page.rows) })),
  };
}
