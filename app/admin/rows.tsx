import { type ReactNode, useEffect, useEffectEvent, useRef } from "react";
import { useSearchParams } from "react-router";
import { announce } from "../ui/announce.tsx";
import { CONTROL } from "../ui/field.tsx";
import { LongList } from "../ui/long-list.tsx";
import { TryAgain } from "../ui/try-again.tsx";
import type { useRows } from "./use-rows.ts";

interface RowsProps<Row> {
  list: Pick<
    ReturnType<typeof useRows<Row>>,
    "search" | "page" | "problem" | "isReading" | "retry" | "showMore"
  >;
  label: string;
  empty: string;
  children(row: Row): ReactNode;
}

/** A list of rows with its states: empty, loading, failed, and with more pages. `children` renders a list item. */
export function Rows<Row>({ list, label, empty, children }: RowsProps<Row>) {
  const { search, page, problem, isReading, retry, showMore } = list;
  const rows = page?.rows ?? [];
  const shownSearch = page?.search;
  const announceCount = useEffectEvent(() => {
    if (!page) return;
    const { length } = page.rows;
    if (length === 0) announce(empty);
    else
      announce(`${page.isComplete ? length : `More than ${length}`} ${length === 1 ? "result" : "results"}`);
  });
  const announced = useRef(search);
  useEffect(() => {
    if (shownSearch === undefined || shownSearch === announced.current) return;
    announced.current = shownSearch;
    announceCount();
  }, [shownSearch]);

  return (
    <>
      <LongList
        rows={rows}
        label={label}
        className="border-t border-rule"
        hasMore={page?.isComplete === false && problem === null}
        isBusy={isReading}
        onMore={() => void showMore()}
      >
        {children}
      </LongList>
      {page && rows.length === 0 && !isReading && problem === null && (
        <p className="py-6 text-muted">{empty}</p>
      )}
      {problem !== null && (
        <div className="py-4">
          <TryAgain text={problem} isReading={isReading} onRetry={() => void retry()} />
        </div>
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
