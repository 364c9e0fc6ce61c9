import { useEffect, useEffectEvent } from "react";

/** Listens on `window` unless `name` is false. Calls the latest `handle`. */
export function useListener<Name extends keyof WindowEventMap>(
  name: Name | false,
  handle: (event: WindowEventMap[Name]) => void,
): void {
  const onEvent = useEffectEvent(handle);
  useEffect(() => {
    if (!name) return;
    addEventListener(name, onEvent);
    return () => removeEventListener(name, onEvent);
  }, [name]);
}
