import { type ReactNode, useEffect, useEffectEvent, useRef } from "react";
import { useSearchParams } from "react-router";
import { announce } from "../ui/announce.tsx";
import { CONTROL, Select } from "../ui/field.tsx";
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
  /** The column headers. With them, the list is a table, and `children` renders a table row. */
  head?: ReactNode;
  children(row: Row): ReactNode;
}

/** A list of rows with its states: empty, loading, failed, and with more pages. */
export function Rows<Row>({ list, label, empty, head, children }: RowsProps<Row>) {
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
        className={head ? "w-full border-t border-rule text-start" : "border-t border-rule"}
        head={head}
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

interface RowsFilterProps {
  /** The name of the URL's parameter. */
  name: string;
  label: string;
  /** The values with their labels. The first one is the default, which the URL omits. */
  options: Record<string, string>;
}

/** A selector. The page's URL contains its value, like that of RowsSearch. */
export function RowsFilter({ name, label, options }: RowsFilterProps) {
  const [, setParameters] = useSearchParams();
  const value = useRowsFilter(name, options);
  function choose(chosen: string) {
    setParameters(
      (current) => {
        const next = new URLSearchParams(current);
        if (chosen === Object.keys(options)[0]) next.delete(name);
        else next.set(name, chosen);
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  }
  return (
    <Select
      label={label}
      options={options}
      value={value}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    />
  );
}

/** Returns the value in the URL for a RowsFilter with these properties. Unknown values are the default. */
export function useRowsFilter(name: string, options: Record<string, string>): string {
  const value = useSearchParams()[0].get(name);
  return value !== null && Object.hasOwn(options, value) ? value : (Object.keys(options)[0] ?? "");
}
