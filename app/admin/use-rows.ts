import { useEffect, useRef } from "react";
import { usePages } from "../operation/use-pages.ts";
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
  async function readPage(after?: Row) {
    const query = new URLSearchParams({ ...parameters, size: `${after ? FURTHER_PAGE : FIRST_PAGE}` });
    if (after) query.set("after", JSON.stringify(cursorOf(after)));
    return { ...(await callAdmin<Page<Row>>(`${path}?${query}`)), search };
  }
  const { value, error, hasFailed, change, ...reading } = usePages(readPage, `${reloadKey} ${search}`);

  return {
    ...reading,
    search,
    /** The rows that have been read, and the search that found them. */
    page: value,
    problem: hasFailed ? errorMessage(error) : null,
    /** Changes the rows that are on the screen now, which may be of a newer search than those of the last render. */
    change: (changed: (rows: Row[]) => Row[]) => change((page) => ({ ...page, rows: changed(page.rows) })),
  };
}

/** Reads a list again after each action of another region, which may have changed its rows. */
export function useRefreshAfter(actionCount: number, refresh: () => Promise<void>): void {
  const lastCount = useRef(actionCount);
  useEffect(() => {
    if (actionCount === lastCount.current) return;
    lastCount.current = actionCount;
    void refresh();
  }, [actionCount, refresh]);
}
