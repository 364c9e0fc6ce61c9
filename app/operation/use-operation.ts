import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from "react";
import { mayMoveFocus } from "../ui/focus.ts";
import { operations, type Repetition, type Result } from "./operations.ts";

/**
 * Owns the order and the repetition of one action, such as a form's save (`operations.ts`). An action that starts
 * while another one with the same subject is pending waits for it. Afterwards, restores the focus, because a field that is
 * disabled in the meantime loses it.
 *
 * @param subjects what the action changes, such as `articles/7`. It outlives the component, unless it can be replaced.
 */
export function useOperation(subjects: string | readonly string[] = [], repetition: Repetition = "join") {
  const all = typeof subjects === "string" ? [subjects] : subjects;
  const [owner] = useState(() => ({}));
  const isPending = useSyncExternalStore(
    operations.subscribe,
    () => operations.isPending(owner, all),
    () => false,
  );
  const focused = useRef<Element | null>(null);

  // A newer start may replace the action, so it only reads. What it reads is of no use without the component.
  useEffect(
    () => () => {
      if (repetition === "replace") operations.cancel(owner);
    },
    [owner, repetition],
  );

  useLayoutEffect(() => {
    if (isPending) return;
    if (focused.current instanceof HTMLElement && mayMoveFocus()) {
      focused.current.focus({ preventScroll: true });
    }
    focused.current = null;
  }, [isPending]);

  /** Resolves to how the work ended. Never rejects. `subject` is one more that only this run has. */
  async function run<Value>(
    work: (signal: AbortSignal) => Promise<Value>,
    subject?: string,
  ): Promise<Result<Value>> {
    if (!isPending) focused.current = document.activeElement;
    const request = { owner, subjects: subject ? [...all, subject] : all, repetition };
    const result = await operations.run(request, work);
    if (result.is === "failed" && import.meta.env.DEV) console.error(result.error);
    return result;
  }

  return {
    isPending,
    run,
    /** Ends the pending action, if any. Its result then changes nothing. */
    cancel: () => operations.cancel(owner),
  };
}
