import type { ContentRow } from "../data/schema.ts";
import { onFirstClick } from "../ui/button.tsx";
import { focusHeading, isFocusFree } from "../ui/focus.ts";
import { DeleteIcon, EditIcon } from "../ui/icons.tsx";
import { useSending } from "../ui/use-sending.ts";
import { useItemActions } from "./editor/editor-context.tsx";

export function OwnerActions({ item: { id, title } }: { item: ContentRow }) {
  const { edit, remove } = useItemActions();
  const { isSending: isDeleting, send } = useSending();

  const deleteAndMoveFocus = () =>
    send(async () => {
      const cards = [...document.querySelectorAll("[data-list] article")];
      const index = cards.findIndex((card) => card.id === id);
      const neighbour = cards[index + 1] ?? cards[index - 1];
      // Show the notice where the card was.
      const previous = cards[index - 1]?.parentElement ?? document.querySelector("[data-before-list]");
      await remove(id, title, index < 0 ? null : previous);
      if (!isFocusFree(cards[index])) return;
      const heading = neighbour?.querySelector("h2");
      focusHeading(heading);
      heading?.scrollIntoView({ block: "nearest" });
    });

  return (
    <>
      <button
        type="button"
        className="tool"
        aria-label={`Edit ${title}`}
        title={`Edit ${title}`}
        data-edit=""
        onClick={() => void edit(id)}
      >
        <EditIcon />
        <span className="tool-word">Edit</span>
      </button>
      <button
        type="button"
        className="tool"
        aria-label={`Delete ${title}`}
        title={`Delete ${title}`}
        aria-disabled={isDeleting}
        onClick={onFirstClick(deleteAndMoveFocus)}
      >
        <DeleteIcon />
        <span className="tool-word">Delete</span>
      </button>
    </>
  );
}
