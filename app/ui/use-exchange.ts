import { useState } from "react";
import { flushSync } from "react-dom";

/**
 * Shows one of several parts at a time, such as a row or its form. The next part gets the focus before the one that had it
 * is removed, because screen readers would otherwise go on at the start of the page.
 */
export function useExchange<Part extends string>(initial: Part) {
  const [parts, setParts] = useState<readonly Part[]>([initial]);
  return {
    shows: (part: Part) => parts.includes(part),
    exchange(next: Part, moveFocus: () => void) {
      flushSync(() => setParts((shown) => [...shown, next]));
      moveFocus();
      flushSync(() => setParts([next]));
    },
  };
}
