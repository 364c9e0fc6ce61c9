import { type Ref, useEffect, useState } from "react";
import { useSession } from "../../session/session.ts";
import { holdsSession } from "../../session/storage.ts";
import { fieldOf } from "../../ui/field.tsx";
import { KeepsPlace } from "../../ui/form-text.tsx";
import { untilLoaded } from "../../ui/until-loaded.ts";
import type { ContentKind } from "../kind.ts";
import type DefaultEditor from "./editor.tsx";
import { EditorFrame } from "./editor-frame.tsx";
import type { EditorHandle } from "./use-editor.ts";

type EditorComponent = typeof DefaultEditor;

let loaded: EditorComponent | undefined;
const loadEditor = () =>
  import("./editor.tsx").then((module) => {
    loaded = module.default;
    return module.default;
  });

if (typeof document !== "undefined" && holdsSession()) loadEditor().catch(() => undefined);

/** The form of a member, once its code is here. Until then its place is kept, unless the code cannot be had. */
export function EditorSlot({
  kind,
  userId,
  ref,
  onWritten,
}: {
  kind: ContentKind;
  userId: string | null;
  ref: Ref<EditorHandle>;
  onWritten(id: string | null): Promise<void>;
}) {
  const { Editor, hasFailed } = useEditorCode(userId !== null);
  const { status } = useSession();
  if (status === "out") return null;
  if (userId && Editor)
    return (
      <div className="mt-8 print:hidden">
        <Editor key={userId} ref={ref} kind={kind} userId={userId} onWritten={onWritten} />
      </div>
    );
  if (hasFailed) return null;
  // The form itself, unseen and without its words, so that nothing moves when it comes.
  return (
    <div inert aria-hidden="true" className="invisible mt-8 hidden in-data-session:block print:hidden">
      <KeepsPlace value={true}>
        <EditorFrame heading={kind.texts.createHeading} submit={kind.texts.createButton}>
          <kind.Fields values={kind.emptyValues} field={fieldOf(kind.emptyValues, () => undefined)} />
        </EditorFrame>
      </KeepsPlace>
    </div>
  );
}

function useEditorCode(isNeeded: boolean) {
  const [Editor, setEditor] = useState(() => loaded);
  const [hasFailed, setHasFailed] = useState(false);
  useEffect(() => {
    if (isNeeded)
      void untilLoaded(loadEditor, () => setHasFailed(true)).then((code) => setEditor(() => code));
  }, [isNeeded]);
  return { Editor, hasFailed };
}
