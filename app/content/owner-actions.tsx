import type { ContentRow } from "../data/schema.ts";
import { IconButton, onFirstClick } from "../ui/button.tsx";
import { focusHeading, isFocusFree } from "../ui/focus.ts";
import { DeleteIcon, EditIcon } from "../ui/icons.tsx";
import { useSending } from "../ui/use-sending.ts";

export interface ItemActions {
  edit(id: string): void;
  remove(id: string, title: string): Promise<void>;
}

export function OwnerActions({ item: { id, title }, editor }: { item: ContentRow; editor: ItemActions }) {
  const { isSending: isDeleting, send } = useSending();

  const remove = () =>
    send(async () => {
      const cards = [...document.querySelectorAll("[data-list] article")];
      const place = cards.findIndex((card) => card.id === id);
      const neighbour = cards[place + 1] ?? cards[place - 1];
      await editor.remove(id, title);
      if (!isFocusFree(cards[place])) return;
      const heading = neighbour?.querySelector("h2");
      focusHeading(heading);
      heading?.scrollIntoView({ block: "nearest" });
    });

  return (
    <>
      <IconButton label={`Edit ${title}`} data-edit="" onClick={() => editor.edit(id)}>
        <EditIcon />
      </IconButton>
      <IconButton label={`Delete ${title}`} aria-disabled={isDeleting} onClick={onFirstClick(remove)}>
        <DeleteIcon />
      </IconButton>
    </>
  );
}
