import { useEffect, useEffectEvent, useRef } from "react";

/** Runs `then` after the value has changed, not at first. */
export function useOnChange<Value>(value: Value, then: (before: Value) => void): void {
  const known = useRef(value);
  const run = useEffectEvent(then);
  useEffect(() => {
    const before = known.current;
    known.current = value;
    if (before !== value) run(before);
  }, [value]);
}
