import { useCallback, useEffect, useReducer, useRef } from "react";
import { callAdmin, messageOf } from "./admin-api.ts";

interface Page<Row> {
  rows: Row[];
  isComplete: boolean;
}

interface RowsState<Row> extends Page<Row> {
  status: "loading" | "ready" | "failed";
  problem: string;
  /** The row after which the failed request asked for more. Undefined if it asked for the first page. */
  failedAfter: Partial<Row> | undefined;
}

type Event<Row> =
  | { type: "requested" }
  | { type: "failed"; problem: string; after: Partial<Row> | undefined }
  | ({ type: "arrived"; isFirst: boolean } & Page<Row>)
  | { type: "changed"; change(rows: Row[]): Row[] };

/** A failed request changes the status, but never the rows. */
function transition<Row>(state: RowsState<Row>, event: Event<Row>): RowsState<Row> {
  switch (event.type) {
    case "requested":
      return { ...state, status: "loading" };
    case "failed":
      return { ...state, status: "failed", problem: event.problem, failedAfter: event.after };
    case "arrived": {
      const rows = event.isFirst ? event.rows : [...state.rows, ...event.rows];
      return { ...state, status: "ready", rows, isComplete: event.isComplete };
    }
    case "changed":
      return { ...state, rows: event.change(state.rows) };
  }
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
  const empty: RowsState<Row> = {
    rows: [],
    isComplete: true,
    status: "loading",
    problem: "",
    failedAfter: undefined,
  };
  const [state, dispatch] = useReducer<RowsState<Row>, [Event<Row>]>(transition, empty);
  const latest = useRef(0);

  const read = useCallback(
    async (after: Partial<Row> | undefined) => {
      latest.current += 1;
      const request = latest.current;
      const query = new URLSearchParams({ q: search });
      if (after) query.set("after", JSON.stringify(after));
      dispatch({ type: "requested" });
      try {
        const page = await callAdmin<Page<Row>>(`${path}?${query}`);
        if (request === latest.current) dispatch({ type: "arrived", isFirst: !after, ...page });
      } catch (error) {
        if (request === latest.current) dispatch({ type: "failed", problem: messageOf(error), after });
      }
    },
    [path, search],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new key means that the rows are out of date
  useEffect(() => void read(undefined), [read, reloadKey]);

  return {
    ...state,
    reload: () => read(undefined),
    /** Repeats the request that failed. */
    retry: () => read(state.failedAfter),
    async showMore() {
      const last = state.rows.at(-1);
      if (last) await read(cursorOf(last));
    },
    /** Changes the rows that are on the screen now, which may be of a newer search than those of the last render. */
    change: (change: (rows: Row[]) => Row[]) => dispatch({ type: "changed", change }),
  };
}
