import { useId, useState } from "react";
import { flushSync } from "react-dom";
import { Link } from "react-router";
import { itemPath, personPath } from "../../common/data/addresses.ts";
import type { ActionResult, ListedItem } from "../../common/data/operators.ts";
import { KINDS, kindSlug } from "../../common/kinds/index.ts";
import { PUBLIC_PATH } from "../../common/pictures/picture-path.ts";
import { Button, ignoreDoubleClick } from "../ui/button.tsx";
import { AlertDialog } from "../ui/dialog.tsx";
import { LocalTime } from "../ui/local-date.tsx";
import { Panel } from "../ui/panel.tsx";
import { useActions } from "./actions.tsx";
import { formatBytes } from "./format-bytes.ts";
import { OutcomeNotices, useOutcomes } from "./outcome.tsx";
import { Rows, RowsSearch, useRowsSearch } from "./rows.tsx";
import { useRows } from "./use-rows.ts";

const SEARCH = "content";

/** A picture's id is its path. Two items of different kinds can have the same id. */
const referenceTo = ({ type, id }: ListedItem) => (type === "pictures" ? id : `${type}/${id}`);

export function ContentRegion() {
  const { send } = useActions();
  const list = useRows<ListedItem>("/content", useRowsSearch(SEARCH), ({ created_at, type, id }) => ({
    created_at,
    type,
    id,
  }));
  const { run, receiveFocus, ...outcomes } = useOutcomes();
  const [toRemove, setToRemove] = useState<ListedItem | null>(null);

  async function unpublish(item: ListedItem) {
    const isDone = await run(referenceTo(item), `Unpublish ${item.title}…`, () =>
      send<ActionResult>("/content/unpublish", { id: referenceTo(item) }),
    );
    if (isDone)
      list.change((rows) =>
        rows.map((row) => (referenceTo(row) === referenceTo(item) ? { ...row, published: false } : row)),
      );
  }

  async function remove(item: ListedItem) {
    setToRemove(null);
    const isDone = await run(referenceTo(item), `Remove ${item.title}…`, () =>
      send<ActionResult>("/content/remove", { id: referenceTo(item) }),
    );
    if (!isDone) return;
    flushSync(() => list.change((rows) => rows.filter((row) => referenceTo(row) !== referenceTo(item))));
    receiveFocus();
  }

  return (
    <Panel title="Content" anchor="content">
      <RowsSearch
        name={SEARCH}
        label="Search content"
        placeholder="Search by text, address, ID or @username..."
      />
      <OutcomeNotices {...outcomes} />
      <Rows list={list} label="Content" empty="No items were found.">
        {(item) => (
          <ItemRow
            key={referenceTo(item)}
            item={item}
            onUnpublish={() => void unpublish(item)}
            onRemove={() => setToRemove(item)}
          />
        )}
      </Rows>
      {toRemove && (
        <AlertDialog
          title="Remove"
          text={`This removes "${toRemove.title}" with its earlier versions.`}
          onCancel={() => setToRemove(null)}
        >
          <Button onClick={() => setToRemove(null)}>Cancel</Button>
          <Button variant="danger" onClick={() => void remove(toRemove)}>
            Remove
          </Button>
        </AlertDialog>
      )}
    </Panel>
  );
}

interface ItemRowProps {
  item: ListedItem;
  onUnpublish(): void;
  onRemove(): void;
}

function ItemRow({ item, onUnpublish, onRemove }: ItemRowProps) {
  const { id, title, type, created_at, published, author, author_id, bytes } = item;
  const titleId = useId();
  const kind = KINDS.find((each) => kindSlug(each) === type);
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-8 gap-y-3 border-b border-rule py-4">
      <div className="min-w-0 basis-80 grow">
        <p id={titleId} dir="auto" className="font-semibold wrap-anywhere">
          {kind ? (
            <Link to={itemPath(kind, { id, title })} className="underline underline-offset-4">
              {title}
            </Link>
          ) : (
            <a href={`${PUBLIC_PATH}${id}`} className="underline underline-offset-4">
              {title}
            </a>
          )}
        </p>
        <p className="mt-1 flex flex-wrap gap-x-3 gap-y-1 text-sm text-muted">
          <span>{kind ? kind.itemName : `Picture, ${formatBytes(bytes ?? 0)}`}</span>
          {published !== null && <span>{published ? "published" : "unpublished"}</span>}
          {author_id && (
            <Link to={personPath(author_id)} className="underline underline-offset-4">
              <bdi>{author || "Unnamed member"}</bdi>
            </Link>
          )}
          <LocalTime time={created_at} />
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        {published && (
          <Button className="text-sm" aria-describedby={titleId} onClick={onUnpublish}>
            Unpublish
          </Button>
        )}
        <Button
          className="text-sm"
          variant="danger"
          aria-describedby={titleId}
          onClick={ignoreDoubleClick(onRemove)}
        >
          Remove
        </Button>
      </div>
    </li>
  );
}
