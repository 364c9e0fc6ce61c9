import { lazy } from "react";
import { useSession } from "../../session/session.ts";
import { holdsSession } from "../../session/storage.ts";
import { LoadBoundary } from "../../ui/load-boundary.tsx";
import type { ContentKind } from "../content-kind.ts";
import { useEditorContext } from "./editor-context.tsx";

const loadEditor = () => import("./editor.tsx");
const Editor = lazy(loadEditor);

// Start loading before hydration, so that members see their form sooner.
if (typeof document !== "undefined" && holdsSession()) loadEditor().catch(() => undefined);

/** Shows the member's form. Reserves its height while the stored session and the form's code load. */
export function EditorSlot({ kind }: { kind: ContentKind }) {
  const { status } = useSession();
  const { isShown } = useEditorContext();
  if (status === "out" && !isShown) return null;
  const visibility = status === "out" ? "" : "hidden in-data-session:block";
  return (
    <div className={`mt-8 print:hidden ${visibility} ${kind.formHeight}`}>
      {isShown && (
        <LoadBoundary>
          <Editor />
        </LoadBoundary>
      )}
    </div>
  );
}
