import { type FormEvent, type Ref, useId, useImperativeHandle, useRef } from "react";
import type { ContentRow } from "../../data/content-reads.ts";
import { DraftNotice } from "../../drafts/draft-notice.tsx";
import { Button } from "../../ui/button.tsx";
import { UnsavedChanges } from "../../ui/unsaved-changes.tsx";
import { useKeptFocus } from "../../ui/use-kept-focus.ts";
import type { ContentKind } from "../kind.ts";
import { useEditor } from "./use-editor.ts";

/** What the buttons on a member's own cards do. */
export interface EditorHandle<Row extends ContentRow> {
  edit(item: Row): void;
  remove(item: Row): void;
}

/**
 * Takes a kind, the member's id, and how to reload the list; returns the form that creates and edits the member's
 * items, with the guard of what is typed into it (specification §2, Content pages, and §4).
 */
export default function Editor<Row extends ContentRow, Draft extends object>({
  kind,
  userId,
  onWritten,
  ref,
}: {
  kind: ContentKind<Row, Draft>;
  userId: string;
  onWritten(): Promise<void>;
  ref: Ref<EditorHandle<Row>>;
}) {
  const headingId = useId();
  const section = useRef<HTMLElement>(null);
  const form = useRef<HTMLFormElement>(null);

  return null;
}
