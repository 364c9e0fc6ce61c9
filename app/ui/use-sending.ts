import { useCallback, useLayoutEffect, useRef, useState } from "react";

/** What a form that is sent knows of itself. */
interface Sending {
  /** The form is disabled meanwhile. */
  isSending: boolean;
  /** Takes what to do; does nothing while something else is under way. */
  send(work: () => Promise<void>): Promise<void>;
}

/**
 * Returns how a form is sent: once at a time, however often it is asked for. Browsers take the focus from what is
 * disabled; it goes back to where it was.
 */
export function useSending(): Sending {
  const [isSending, setIsSending] = useState(false);
  // The state is a rendering behind; two requests in one breath must not both find it free.
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
