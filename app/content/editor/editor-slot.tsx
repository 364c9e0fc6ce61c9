import { lazy } from "react";
import { useSession } from "../../session/session.ts";
import { holdsSession } from "../../session/storage.ts";
import { LoadBoundary } from "../../ui/load-boundary.tsx";

const loadEditor = () => import("./editor.tsx");
const Editor = lazy(loadEditor);

// Start loading before hydration, so that members see their form sooner.
if (typeof document !== "undefined" && holdsSession()) loadEditor().catch(() => undefined);

/** Shows the member's form. Reserves its height while the stored session and the form's code load. */
export function EditorSlot({ height }: { height: string }) {
  const { status } = useSession();
  if (status === "out") return null;
  return (
    <div className={`mt-8 hidden in-data-session:block print:hidden ${height}`}>
      {status === "in" && (
        <LoadBoundary>
          <Editor />
        </LoadBoundary>
      )}
    </div>
  );
}
