import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { announce } from "./announce.tsx";
import { Button } from "./button.tsx";
import { focusElement, mayMoveFocus } from "./focus.ts";

interface LongListProps<Row> {
  rows: readonly Row[];
  label?: string;
  className?: string;
  hasMore: boolean;
  isBusy?: boolean;
  moreLabel?: string;
  onMore(): void;
  /** The column headers. With them, the list is a table, and `children` renders a table row. */
  head?: ReactNode;
  /** The selector of what gets the focus in the first added item. By default, the item itself gets it. */
  target?: string;
  /** Renders a list item. */
  children(row: Row): ReactNode;
}

/** A list that grows by steps. The first added item gets the focus, because the button may disappear. */
export function LongList<Row>(props: LongListProps<Row>) {
  const {
    rows,
    label,
    className,
    hasMore,
    isBusy = false,
    moreLabel = "Show More",
    onMore,
    head,
    target,
    children,
  } = props;
  const list = useRef<HTMLUListElement>(null);
  const body = useRef<HTMLTableSectionElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  /** The index of the row to focus when further rows are shown. */
  const indexToFocus = useRef<number>(undefined);
  const { length } = rows;

  useLayoutEffect(() => {
    const index = indexToFocus.current;
    if (index === undefined || length <= index) return;
    indexToFocus.current = undefined;
    const item = (body.current ?? list.current)?.children[index];
    const added = (target && item?.querySelector(target)) || item;
    if (added instanceof HTMLElement && mayMoveFocus(button.current)) focusElement(added);
    announce(`${length - index} more ${length - index === 1 ? "item" : "items"}.`);
  }, [length, target]);

  function add() {
    // The list is being read, and may be replaced.
    if (isBusy) return;
    indexToFocus.current = length;
    onMore();
  }

  return (
    <>
      {length > 0 && head !== undefined && (
        <table aria-label={label} aria-busy={isBusy || undefined} className={className}>
          <thead>{head}</thead>
          <tbody ref={body}>{rows.map(children)}</tbody>
        </table>
      )}
      {length > 0 && head === undefined && (
        <ul ref={list} aria-label={label} aria-busy={isBusy || undefined} className={className}>
          {rows.map(children)}
        </ul>
      )}
      {hasMore && (
        <Button ref={button} className="mt-4" aria-disabled={isBusy} onClick={add}>
          {moreLabel}
        </Button>
      )}
    </>
  );
}

type SteppedListProps<Row> = Omit<LongListProps<Row>, "hasMore" | "onMore" | "isBusy"> & { step: number };

/** Shows rows that are all in memory, some more with each press on a button. */
export function SteppedList<Row>({ rows, step, ...rest }: SteppedListProps<Row>) {
  const [shown, setShown] = useState(step);
  return (
    <LongList
      rows={rows.slice(0, shown)}
      hasMore={rows.length > shown}
      onMore={() => setShown(shown + step)}
      target="button"
      {...rest}
    />
  );
}
