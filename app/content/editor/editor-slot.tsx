import { useEffect, useState } from "react";
import { useSession } from "../../session/session.ts";
import { holdsSession } from "../../session/storage.ts";
import { fieldOf } from "../../ui/field.tsx";
import { KeepsPlace } from "../../ui/form-text.tsx";
import { untilLoaded } from "../../ui/until-loaded.ts";
import type DefaultEditor from "./editor.tsx";
import { EditorFrame } from "./editor-frame.tsx";
import type { EditorProps } from "./use-editor.ts";

let loaded: typeof DefaultEditor | undefined;
async function loadEditor() {
  loaded = (await import("./editor.tsx")).default;
  return loaded;
}

if (typeof document !== "undefined" && holdsSession()) loadEditor().catch(() => undefined);

/** The form of a member, once its code is here. Until then its place is kept, unless the code cannot be had. */
export function EditorSlot({ userId, ...props }: Omit<EditorProps, "userId"> & { userId: string | null }) {
  const { kind } = props;
  const { status } = useSession();
  const [Editor, setEditor] = useState(() => loaded);
  const [hasFailed, setHasFailed] = useState(false);
  const isNeeded = userId !== null;
  useEffect(() => {
    if (isNeeded)
      void untilLoaded(loadEditor, () => setHasFailed(true)).then((code) => setEditor(() => code));
  }, [isNeeded]);

  if (status === "out") return null;
  if (userId && Editor)
    return (
      <div className="mt-8 print:hidden">
        <Editor key={userId} userId={userId} {...props} />
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
