import { type ComponentProps, type KeyboardEvent, useId, useRef } from "react";
import { type Labelling, TextArea } from "./field.tsx";
import {
  continueListOnEnter,
  formatOnShortcut,
  indentOnEnter,
  indentSelection,
  linkOnPaste,
} from "./text-editing.ts";

/** Enter continues a list. Ctrl+B, Ctrl+I and Ctrl+K format the selection. A pasted URL makes the selection a link. */
export function MarkdownArea(props: ComponentProps<"textarea"> & Labelling) {
  return (
    <TextArea
      onKeyDown={(event) => {
        continueListOnEnter(event);
        formatOnShortcut(event);
      }}
      onPaste={linkOnPaste}
      {...props}
    />
  );
}

/** Tab indents the code, and Enter keeps the indentation. After Escape, the next Tab leaves the field. */
export function CodeArea({
  indent = "  ",
  ...props
}: ComponentProps<"textarea"> & Labelling & { indent?: string | undefined }) {
  const helpId = useId();
  const leavesOnTab = useRef(false);
  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    indentOnEnter(event);
    const isTab = event.key === "Tab" && !event.shiftKey && !event.ctrlKey && !event.altKey && !event.metaKey;
    if (isTab && !leavesOnTab.current && event.currentTarget.value !== "") {
      event.preventDefault();
      indentSelection(event.currentTarget, indent);
    }
    leavesOnTab.current = event.key === "Escape";
  }
  return (
    <div>
      <TextArea
        dir="ltr"
        spellCheck={false}
        autoCapitalize="off"
        autoCorrect="off"
        onKeyDown={onKeyDown}
        aria-describedby={helpId}
        {...props}
        className={`font-mono ${props.className ?? ""}`}
      />
      <p id={helpId} className="mt-1 text-sm text-muted">
        Tab indents. To leave the field, press Escape and then Tab.
      </p>
    </div>
  );
}
