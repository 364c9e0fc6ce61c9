import { useLayoutEffect, useRef, useState } from "react";
import { isFocusFree } from "./focus.ts";

/**
 * One piece of work at a time; what fails ends without a word (specification §8).
 * Restores the focus: browsers take it from disabled elements.
 */
export function useSending() {
  const [isSending, setIsSending] = useState(false);
  // State lags a render; the ref stops a double submit.
  const isBusy = useRef(false);
  const focused = useRef<Element | null>(null);

  useLayoutEffect(() => {
    if (isSending) return;
    if (focused.current instanceof HTMLElement && isFocusFree()) {
      focused.current.focus({ preventScroll: true });
    }
    focused.current = null;
  }, [isSending]);

  async function send(work: () => Promise<void>) {
    if (isBusy.current) return;
    isBusy.current = true;
    focused.current = document.activeElement;
    setIsSending(true);
    try {
      await work();
    } catch {
      // Everything stays as it is.
    } finally {
      isBusy.current = false;
      setIsSending(false);
    }
  }

  return { isSending, send };
}
