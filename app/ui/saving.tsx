import { type ReactNode, useEffect, useState } from "react";

/** Faster saves show no word, because it would only flicker. */
const SLOW_MS = 300;

/** A word next to the button of a form that is being saved. Otherwise shows `children` there. */
export function Saving({ isSaving, children }: { isSaving: boolean; children?: ReactNode }) {
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    if (!isSaving) return setIsSlow(false);
    const timer = setTimeout(() => setIsSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, [isSaving]);
  return isSlow ? <span className="text-sm text-muted">Saving…</span> : children;
}
