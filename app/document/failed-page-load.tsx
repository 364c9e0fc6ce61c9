import { useEffect } from "react";
import { announce } from "../ui/announce.tsx";
import { useFailedPageLoad } from "./page-load.ts";

const TEXT = "The page could not be loaded. Check your connection and try again.";

export function FailedPageLoad() {
  const retry = useFailedPageLoad();
  useEffect(() => {
    if (retry) announce(TEXT);
  }, [retry]);
  if (!retry) return null;
  return (
    <section aria-label="Failed page load" className="failed-load">
      <p>{TEXT}</p>
      <button type="button" onClick={retry} className="min-h-11 underline underline-offset-4">
        Try Again
      </button>
    </section>
  );
}
