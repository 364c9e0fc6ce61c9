import { useEffect, useState } from "react";

/** Faster loads, such as most searches, show no progress bar. */
const SLOW_MS = 150;

export function SlowProgress({ isPending }: { isPending: boolean }) {
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    if (!isPending) return setIsSlow(false);
    const timer = setTimeout(() => setIsSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, [isPending]);
  return isSlow && <div role="progressbar" aria-label="Loading" className="progress" />;
}
