import { useEffect } from "react";
import { createPath, useNavigation, useRevalidator } from "react-router";
import { announce } from "../ui/announce.tsx";
import { useListener } from "../ui/use-listener.ts";
import { hrefOf, useFailedLoads } from "./failed-loads.ts";

const TEXT = "The page could not be loaded. Check your connection and try again.";

/** Reports that the next page can't be loaded, and offers to try again. */
export function FailedPageLoad() {
  const failedLoads = useFailedLoads();
  const { location: next } = useNavigation();
  // Starts a pending navigation again.
  const { revalidate: retry } = useRevalidator();
  const hasFailed = next !== undefined && failedLoads.includes(hrefOf(createPath({ ...next, hash: "" })));
  useListener(failedLoads.length > 0 && "online", () => void retry());
  useEffect(() => {
    if (hasFailed) announce(TEXT);
  }, [hasFailed]);
  if (!hasFailed) return null;
  return (
    <section aria-label="Failed page load" className="failed-load">
      <p>{TEXT}</p>
      <button type="button" onClick={() => void retry()} className="min-h-11 underline underline-offset-4">
        Try Again
      </button>
    </section>
  );
}
