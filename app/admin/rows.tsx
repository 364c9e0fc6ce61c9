import { type ReactNode, useEffect, useRef } from "react";
import { useSearchParams } from "react-router";
import { announce } from "../ui/announce.tsx";
import { Button } from "../ui/button.tsx";
import { CONTROL } from "../ui/field.tsx";
import { focusElement, mayMoveFocus } from "../ui/focus.ts";
import type { useRows } from "./use-rows.ts";

interface RowsProps<Row> {
  list: Omit<ReturnType<typeof useRows<Row>>, "change">;
  label: string;
  empty: string;
  children(row: Row): ReactNode;
}

/** A list of rows with its states: empty, loading, failed, and with more pages. `children` renders a list item. */
export function Rows<Row>({ list, label, empty, children }: RowsProps<Row>) {
  const { rows, status, problem, isComplete, retry, showMore } = list;
  const element = useRef<HTMLUListElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  /** The index of the row to focus when the next page has loaded. */
  const indexToFocus = useRef<number>(undefined);

  useEffect(() => {
    const index = indexToFocus.current;
    indexToFocus.current = undefined;
    const added = index === undefined ? undefined : element.current?.children[index];
    if (index === undefined || !(added instanceof HTMLElement)) return;
    // The button disappears with the last page, and must not take the focus with it.
    if (mayMoveFocus(button.current)) focusElement(added);
    announce(`${rows.length - index} more ${rows.length - index === 1 ? "item" : "items"}.`);
  }, [rows]);

  function add() {
    indexToFocus.current = rows.length;
    void showMore();
  }

  return (
    <>
      {rows.length > 0 && (
        <ul
          ref={element}
          aria-label={label}
          aria-busy={status === "loading"}
          className="border-t border-rule"
        >
          {rows.map(children)}
        </ul>
      )}
      {status === "ready" && rows.length === 0 && <p className="py-6 text-muted">{empty}</p>}
      {status === "failed" && (
        <div role="alert" className="flex flex-wrap items-center gap-x-4 gap-y-2 py-4">
          <p>{problem}</p>
          <Button onClick={() => void retry()}>Try Again</Button>
        </div>
      )}
      {!isComplete && status !== "failed" && (
        <Button ref={button} className="mt-4" aria-disabled={status === "loading"} onClick={add}>
          Show More
        </Button>
      )}
    </>
  );
}

const PAUSE_MS = 250;
const MAX_LENGTH = 300;

/** A search field. The page's URL contains its text, so links can search. */
export function RowsSearch({
  name,
  label,
  placeholder,
}: {
  name: string;
  label: string;
  placeholder: string;
}) {
  const [parameters, setParameters] = useSearchParams();
  const inUrl = parameters.get(name) ?? "";
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // Fill in the field when a link or Back changes the URL, but not while the operator types.
  useEffect(() => {
    if (field.current && document.activeElement !== field.current) field.current.value = inUrl;
  }, [inUrl]);
  useEffect(() => () => clearTimeout(timer.current), []);

  function onInput() {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      setParameters(
        (current) => {
          const next = new URLSearchParams(current);
          if (field.current?.value.trim()) next.set(name, field.current.value.trim());
          else next.delete(name);
          return next;
        },
        { replace: true, preventScrollReset: true },
      );
    }, PAUSE_MS);
  }

  return (
    <search className="mb-4 block">
      <input
        ref={field}
        type="search"
        aria-label={label}
        placeholder={placeholder}
        defaultValue={inUrl}
        autoComplete="off"
        dir="auto"
        maxLength={MAX_LENGTH}
        onInput={onInput}
        className={CONTROL}
      />
    </search>
  );
}

/** Returns the text in the URL for a RowsSearch with this name. */
export function useRowsSearch(name: string): string {
  return useSearchParams()[0].get(name) ?? "";
}
