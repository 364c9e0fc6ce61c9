import { useLayoutEffect, useRef } from "react";

/** Takes whether a form is disabled while it is sent. Browsers take the focus from what they disable: it gets it back. */
export function useKeptFocus(isDisabled: boolean): void {
  const held = useRef<Element | null>(null);
  useLayoutEffect(() => {
    if (isDisabled) held.current = document.activeElement;
    else if (held.current instanceof HTMLElement && document.activeElement === document.body) {
      held.current.focus({ preventScroll: true });
    }
  }, [isDisabled]);
}
