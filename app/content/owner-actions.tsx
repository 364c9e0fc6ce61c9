import type { ContentRow } from "../../common/data/schema.ts";
import { DELETIONS } from "../history/deletion.ts";
import { useListedIds } from "../list/paged-list.tsx";
import { useOperation } from "../operation/use-operation.ts";
import { ignoreDoubleClick } from "../ui/button.tsx";
import { focusHeading, mayMoveFocus } from "../ui/focus.ts";
import { DeleteIcon, EditIcon } from "../ui/icons.tsx";
import { useItemActionsContext } from "./editor/editor-context.tsx";

export function OwnerActions({
  kind,
  item: { id, title },
}: {
  kind: { path: string; table: string };
  item: ContentRow;
}) {
  const { edit, remove } = useItemActionsContext();
  const listedIds = useListedIds();
  const { isPending: isDeleting, run } = useOperation(`${kind.table}/${id}`);

  const deleteAndMoveFocus = () =>
    run(async () => {
      const card = document.getElementById(id);
      const index = listedIds.indexOf(id);
      const previousId = listedIds[index - 1];
      const neighbourId = listedIds[index + 1] ?? previousId;
      const isListed = index >= 0;
      const isNoticed = await remove(
        id,
        title,
        isListed ? { place: "cards", previousId } : { place: "page", leadsTo: kind.path },
      );
      if (isNoticed || !mayMoveFocus(card)) return;
      const heading = document.getElementById(neighbourId ?? "")?.querySelector("h2");
      focusHeading(heading);
      heading?.scrollIntoView({ block: "nearest" });
    }, DELETIONS);

  return (
    <>
      <button
        type="button"
        className="tool own-tool"
        aria-label={`Edit ${title}`}
        title={`Edit ${title}`}
        onClick={({ currentTarget }) => void edit(id, currentTarget)}
      >
        <EditIcon />
        <span className="tool-word">Edit</span>
      </button>
      <button
        type="button"
        className="tool own-tool delete-tool"
        aria-label={`Delete ${title}`}
        title={`Delete ${title}`}
        aria-disabled={isDeleting}
        onClick={ignoreDoubleClick(deleteAndMoveFocus)}
      >
        <DeleteIcon />
        <span className="tool-word">Delete</span>
      </button>
    </>
  );
}
