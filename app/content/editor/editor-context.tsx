import { createContext, type ReactNode, useContext } from "react";
import { type Editor, type EditorOptions, useEditor } from "./use-editor.ts";
import type { ItemActions } from "./use-item-actions.ts";

const EditorContext = createContext<Editor | null>(null);
const ItemActionsContext = createContext<ItemActions | null>(null);

/** Shares one editor between a page's form and the Edit and Delete buttons of its cards. */
export function EditorProvider({ children, ...options }: EditorOptions & { children: ReactNode }) {
  const editor = useEditor(options);
  return (
    <ItemActionsContext value={editor.actions}>
      <EditorContext value={editor}>{children}</EditorContext>
    </ItemActionsContext>
  );
}

export const useEditorContext = () => required(useContext(EditorContext));

/** The actions have a separate context, so that typing in the form does not re-render every card. */
export const useItemActionsContext = () => required(useContext(ItemActionsContext));

function required<Value>(value: Value | null): Value {
  if (value === null) throw new Error("This component needs an EditorProvider around it");
  return value;
}
