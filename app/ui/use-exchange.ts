import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { FOCUS_REPORT_MS } from "./focus.ts";

/**
 * Shows one of several parts at a time, such as a row or its form. The next part gets the focus before the one that had it
 * is removed, because screen readers would otherwise go on at the start of the page. With `isSlow`, the part that goes
 * stays until Firefox has told screen readers about the focus: Orca says nothing about a field that has it earlier.
 */
export function useExchange<Part extends string>(initial: Part) {
  const [parts, setParts] = useState<readonly Part[]>([initial]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const shown = parts.at(-1);
  return {
    shows: (part: Part) => parts.includes(part),
    /** Whether the part is only there until the focus has moved. It should be invisible. */
    goes: (part: Part) => parts.includes(part) && part !== shown,
    exchange(next: Part, moveFocus: () => void, isSlow = false) {
      clearTimeout(timer.current);
      flushSync(() => setParts((all) => [...all.filter((part) => part !== next), next]));
      moveFocus();
      const remove = () => setParts([next]);
      if (isSlow) timer.current = setTimeout(remove, FOCUS_REPORT_MS);
      else flushSync(remove);
    },
  };
}
