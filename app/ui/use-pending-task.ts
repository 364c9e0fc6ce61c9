import { useLayoutEffect, useRef, useState } from "react";
import { mayMoveFocus } from "./focus.ts";

/**
 * Returns a function that runs one task at a time. Failures are silent (specification §8). After the task, restores the
 * focus, because a field that is disabled while sending loses it.
 */
export function usePendingTask() {
  const [isPending, setIsPending] = useState(false);
  // The state changes only with the next render, so a ref prevents double submits.
  const isBusy = useRef(false);
  const focused = useRef<Element | null>(null);

  useLayoutEffect(() => {
    if (isPending) return;
    if (focused.current instanceof HTMLElement && mayMoveFocus()) {
      focused.current.focus({ preventScroll: true });
    }
    focused.current = null;
  }, [isPending]);

  /** Resolves to the result of the task, or to undefined if it failed or another task is running. */
  async function run<Result>(task: () => Promise<Result>): Promise<Result | undefined> {
    if (isBusy.current) return undefined;
    isBusy.current = true;
    focused.current = document.activeElement;
    setIsPending(true);
    try {
      return await task();
    } catch (error) {
      if (import.meta.env.DEV) console.error(error);
      return undefined;
    } finally {
      isBusy.current = false;
      setIsPending(false);
    }
  }

  return { isPending, run };
}
