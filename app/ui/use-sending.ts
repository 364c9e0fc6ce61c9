import { useCallback, useLayoutEffect, useRef, useState } from "react";

interface Sending {
  /** The form is disabled meanwhile. */
  isSending: boolean;
  /** Does nothing while other work is under way. */
  send(work: () => Promise<void>): Promise<void>;
}

/** Sends a form once at a time. Browsers take the focus from what is disabled; it goes back to where it was. */
export function useSending(): Sending {
  const [isSending, setIsSending] = useState(false);
  // State lags a render; the ref stops a double submit.
  const isBusy = useRef(false);
  const focused = useRef<Element | null>(null);

  useLayoutEffect(() => {
    if (isSending) return;
    if (focused.current instanceof HTMLElement && document.activeElement === document.body) {
      focused.current.focus({ preventScroll: true });
    }
    focused.current = null;
  }, [isSending]);

  const send = useCallback(async (work: () => Promise<void>) => {
    if (isBusy.current) return;
    isBusy.current = true;
    focused.current = document.activeElement;
    setIsSending(true);
    try {
      await work();
    } finally {
      isBusy.current = false;
      setIsSending(false);
    }
  }, []);

  return { isSending, send };
}
