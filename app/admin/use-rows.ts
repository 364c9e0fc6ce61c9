import { useRead } from "../operation/use-read.ts";
import { callAdmin, errorMessage } from "./admin-api.ts";

interface Page<Row> {
  rows: Row[];
  isComplete: boolean;
}

interface RowsQuery<Row> {
  /** The searched text and the filters, as the parameters of the request. */
  parameters: Record<string, string>;
  /** Returns the columns that continue the list after a row. */
  cursorOf(row: Row): Partial<Row>;
  /** A change reads the first page again. */
  reloadKey?: number;
}

/** Few rows, so that every region of the page can be reached by scrolling. */
const FIRST_PAGE = 20;
const FURTHER_PAGE = 50;

/** Reads a list of `/admin/v1` page by page. */
export function useRows<Row>(path: string, { parameters, cursorOf, reloadKey = 0 }: RowsQuery<Row>) {
  const search = `${new URLSearchParams(parameters)}`;
  async function read(after?: Partial<Row>) {
    const query = new URLSearchParams({ ...parameters, size: `${after ? FURTHER_PAGE : FIRST_PAGE}` });
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
