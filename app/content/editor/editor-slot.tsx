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

/**
 * Shows the member's form. On phones and below a search, an untouched form is folded (`editor.css`). Reserves its height
 * while the stored session and the form's code load.
 */
export function EditorSlot({ kind, isSearching }: { kind: ContentKind; isSearching: boolean }) {
  const { status } = useSession();
  const { isShown, isFoldable, isUnfolded } = useEditorContext();
  if (status === "out" && !isShown) return null;
  const visibility = status === "out" ? "" : "hidden in-data-session:block";
  return (
    <div
      className={`editor-slot mt-8 print:hidden ${visibility} ${kind.formHeight}`}
      data-foldable={isFoldable ? (isSearching ? "always" : "phone") : undefined}
      data-unfolded={isUnfolded || undefined}
    >
      {isShown && (
        <LoadBoundary>
          <Editor />
        </LoadBoundary>
      )}
    </div>
  );
}
