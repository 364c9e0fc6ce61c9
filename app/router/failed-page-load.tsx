import { useEffect } from "react";
import { createPath, useLocation, useNavigation, useRevalidator } from "react-router";
import { announce } from "../ui/announce.tsx";
import { focusHeading } from "../ui/focus.ts";
import { useListener } from "../ui/use-listener.ts";
import { hrefOf, useFailedLoads } from "./failed-loads.ts";
import { useCancelNavigation } from "./history-index.ts";

const NOT_LOADED = "The page could not be loaded. Check your connection and try again.";
const NOT_UPDATED = "The page could not be updated. Check your connection and try again.";

/** Reports that the next page can't be loaded, or the current one again, and offers to try again or to stay. */
export function FailedPageLoad() {
  const failedLoads = useFailedLoads();
  const { location: next } = useNavigation();
  const current = useLocation();
  // Starts a pending navigation again.
  const { revalidate: retry, state } = useRevalidator();
  const cancelNavigation = useCancelNavigation();
  const loading = next ?? (state === "loading" ? current : undefined);
  const hasFailed =
    loading !== undefined && failedLoads.includes(hrefOf(createPath({ ...loading, hash: "" })));
  const text = next ? NOT_LOADED : NOT_UPDATED;
  useListener(failedLoads.length > 0 && "online", () => void retry());
  useEffect(() => {
    if (hasFailed) announce(text);
  }, [hasFailed, text]);

  function cancel() {
    // The notice disappears, and must not take the focus with it.
    focusHeading();
    cancelNavigation();
  }

  if (!hasFailed) return null;
  return (
    <section aria-label="Failed page load" className="failed-load">
      <p>{text}</p>
      <button type="button" onClick={() => void retry()} className="min-h-11 underline underline-offset-4">
        Try Again
      </button>
      {next && (
        <button type="button" onClick={cancel} className="min-h-11 underline underline-offset-4">
          Stay Here
        </button>
      )}
    </section>
  );
}
