import { useEffect, useEffectEvent } from "react";

/** To an event of the window, with the newest `handle`; to none without a name. */
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
