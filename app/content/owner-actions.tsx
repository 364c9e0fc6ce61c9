import { type MouseEvent, useState } from "react";
import { IconButton } from "../ui/button.tsx";
import { DeleteIcon, EditIcon } from "../ui/icons.tsx";

/** Takes an item's title and what its two buttons do; `onDelete` tells whether the item is gone (specification §6). */
export function OwnerActions({
  title,
  onEdit,
  onDelete,
}: {
  title: string;
  onEdit(): void;
  onDelete(): Promise<boolean>;
}) {
  const [isDeleting, setIsDeleting] = useState(false);

  async function remove({ currentTarget }: MouseEvent) {
    if (isDeleting) return;
    const place = currentTarget.closest("article")?.parentElement;
    const neighbour = place?.nextElementSibling ?? place?.previousElementSibling;
    setIsDeleting(true);
    // The focus goes on to the next card: this one goes away with its buttons.
    if (await onDelete()) neighbour?.querySelector<HTMLElement>("article :is(a, button)")?.focus();
    setIsDeleting(false);
  }

  return (
    <>
      <IconButton label={`Edit ${title}`} onClick={onEdit}>
        <EditIcon />
      </IconButton>
      <IconButton label={`Delete ${title}`} aria-disabled={isDeleting} onClick={remove}>
        <DeleteIcon />
      </IconButton>
    </>
  );
}
