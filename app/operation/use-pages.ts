import { useCallback, useLayoutEffect, useRef } from "react";
import { useRead } from "./use-read.ts";

interface PageOf<Row> {
  rows: Row[];
  isComplete: boolean;
}

/** Reads a list page by page, and again from the start whenever `key` changes. `readPage` reads the rows after a row. */
export function usePages<Row, Page extends PageOf<Row>>(
  readPage: (after?: Row) => Promise<Page>,
  key: string,
) {
  const latest = useRef(readPage);
  useLayoutEffect(() => {
    latest.current = readPage;
  });
  /** The number of rows that the reader has asked for. Zero means the first page. */
  const wanted = useRef(0);
  const reading = useRead(() => {
    wanted.current = 0;
    return readPage();
  }, key);
  const { value, load } = reading;

  return {
    ...reading,
    /** Reads the rows on the screen again, with as many pages. Never rejects. */
    refresh: useCallback(
      () =>
        load(async () => {
          const read = latest.current;
          let page = await read();
          while (!page.isComplete && page.rows.length < wanted.current) {
            const next = await read(page.rows.at(-1));
            page = { ...next, rows: [...page.rows, ...next.rows] };
          }
          return () => page;
        }),
      [load],
    ),
    async showMore() {
      const last = value?.rows.at(-1);
      if (value === undefined || last === undefined) return;
      wanted.current = value.rows.length + 1;
      await load(async () => {
        const next = await readPage(last);
        return (current) => ({ ...next, rows: [...(current?.rows ?? []), ...next.rows] });
      });
    },
  };
}
