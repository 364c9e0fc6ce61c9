import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useOperation } from "./use-operation.ts";

/** Reads something and returns how it changes what was read before. */
type Load<Value> = () => Promise<(current: Value | undefined) => Value>;

interface ReadState<Value> {
  /** Undefined before the first successful read. A failed read doesn't change it. */
  value: Value | undefined;
  /** Why the last read failed. Undefined if it didn't. */
  error: unknown;
}

/**
 * Reads a value after hydration and whenever `key` changes. Only the newest read changes the value. Reads end with the
 * component.
 */
export function useRead<Value>(read: () => Promise<Value>, key: string | number = "") {
  const [state, setState] = useState<ReadState<Value>>({ value: undefined, error: undefined });
  const { isPending, run } = useOperation([], "replace");
  const latest = useRef({ run, read });
  useLayoutEffect(() => {
    latest.current = { run, read };
  });
  const last = useRef<Load<Value>>(undefined);

  const load = useCallback(async (next: Load<Value>) => {
    last.current = next;
    const result = await latest.current.run(next);
    // The caller can then give the focus to another element if the one that had it has disappeared.
    if (result.is === "done") {
      flushSync(() => setState(({ value }) => ({ value: result.value(value), error: undefined })));
    }
    if (result.is === "failed") setState(({ value }) => ({ value, error: result.error ?? "failed" }));
  }, []);
  /** Resolves once the new value is on the page, or the read has failed. Never rejects. */
  const reload = useCallback(
    () =>
      load(async () => {
        const value = await latest.current.read();
        return () => value;
      }),
    [load],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new key means that the value is out of date
  useEffect(() => void reload(), [reload, key]);

  const change = useCallback(
    (changed: (value: Value) => Value) =>
      setState(({ value, error }) => ({ value: value === undefined ? value : changed(value), error })),
    [],
  );

  return {
    ...state,
    hasFailed: state.error !== undefined,
    /** Whether no read has ended yet. */
    isUnread: state.value === undefined && state.error === undefined,
    isReading: isPending,
    reload,
    /** Reads in another way, such as a further page. */
    load,
    /** Repeats the read that failed. */
    retry: useCallback(
      () => load(last.current ?? (() => Promise.reject(new Error("Nothing was read")))),
      [load],
    ),
    /** Changes the value without a read. */
    change,
  };
}
