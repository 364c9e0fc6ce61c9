import { useLayoutEffect, useRef } from "react";

/**
 * Takes whether a form is disabled, as it is while it is sent. Browsers take the focus from what they disable: it
 * gets it back. Returns what to call right before the form is disabled.
 */
export function useKeptFocus(isDisabled: boolean): () => void {
  const held = useRef<Element | null>(null);
  useLayoutEffect(() => {
    if (isDisabled) return;
    if (held.current instanceof HTMLElement && document.activeElement === document.body) {
      held.current.focus({ preventScroll: true });
    }
    held.current = null;
  }, [isDisabled]);
  return () => {
    held.current = document.activeElement;
  };
}
