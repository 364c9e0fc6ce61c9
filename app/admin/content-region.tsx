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
import { Unread } from "../ui/unread.tsx";
import { useActions } from "./actions.tsx";
import { formatBytes } from "./format-bytes.ts";
import { OutcomeNotices, type RowStatus, RowStatusText, useOutcomes } from "./outcome.tsx";
import { Rows, RowsFilter, RowsSearch, useRowsFilter, useRowsSearch } from "./rows.tsx";
import { RowCheckbox, SELECTION, SelectAll, SelectionBar, useSelection } from "./selection.tsx";
import { useRefreshAfter, useRows } from "./use-rows.ts";

const SEARCH = "content";

/** A picture's id is its path. Two items of different kinds can have the same id. */
const referenceTo = ({ type, id }: ListedItem) => (type === "pictures" ? id : `${type}/${id}`);

const KIND = "kind";
const KIND_OPTIONS = {
  "": "All Kinds",
  ...Object.fromEntries(KINDS.map((kind) => [kindSlug(kind), kind.name])),
  pictures: "Pictures",
};
const LABELS = { unpublish: "Unpublish", publish: "Publish", remove: "Remove" };

const STATES = ["unpublish", "publish"] as const;

/** `actionCount` changes after each action of another region. */
export function ContentRegion({ actionCount }: { actionCount: number }) {
  const { send } = useActions();
  const type = useRowsFilter(KIND, KIND_OPTIONS);
  const list = useRows<ListedItem>("/content", {
    parameters: { q: useRowsSearch(SEARCH), ...(type && { type }) },
    cursorOf: ({ created_at, type, id }) => ({ created_at, type, id }),
  });
  useRefreshAfter(actionCount, list.refresh);
  const { run, receiveFocus, leaveRow, statusOf, ...outcomes } = useOutcomes();
  const [toRemove, setToRemove] = useState<ListedItem[] | null>(null);
  const selection = useSelection(list.page?.rows ?? [], referenceTo);
  const { selected } = selection;
  const changeable = {
    publish: selected.filter(({ published }) => published === false),
    unpublish: selected.filter(({ published }) => published),
  };

  async function act(items: ListedItem[], name: keyof typeof LABELS) {
    setToRemove(null);
    const jobs = items.map((item) => ({
      subject: referenceTo(item),
      name: item.title,
      act: () => send<ActionResult>(`/content/${name}`, { id: referenceTo(item) }),
    }));
    const show = async (reference: string) => {
      if (name === "remove") leaveRow(reference);
      flushSync(() =>
        list.change((rows) =>
          rows.flatMap((row) => {
            if (referenceTo(row) !== reference) return [row];
            return name === "remove" ? [] : [{ ...row, published: name === "publish" }];
          }),
        ),
      );
      // The row or its button has disappeared.
      receiveFocus();
    };
    const publishAgain = (changed: string[]) =>
      act(
        items.filter((item) => changed.includes(referenceTo(item))),
        "publish",
      );
    const undo = name === "unpublish" ? publishAgain : undefined;
    const { changed, failed } = await run(LABELS[name], jobs, show, undo);
    if (failed.length > 0) await list.refresh();
    if (items.length > 1) {
      if (selection.leavesNone(changed)) leaveRow(SELECTION);
      flushSync(() => selection.leaveOut(changed));
    }
    receiveFocus();
  }

  return (
    <Panel title="Content" anchor="content">
      {list.isUnread && <Unread />}
      <RowsSearch
        name={SEARCH}
        label="Search content"
        placeholder="Search by text, address, ID or @username..."
      />
      <div className="mb-4 grid grid-cols-2 gap-4">
        <RowsFilter name={KIND} label="Kind" options={KIND_OPTIONS} />
      </div>
      <OutcomeNotices {...outcomes} />
      <SelectAll selection={selection} />
      <Rows list={list} label="Content" empty="No items were found.">
        {(item) => (
          <ItemRow
            key={referenceTo(item)}
            item={item}
            status={statusOf(referenceTo(item))}
            isSelected={selection.has(item)}
            onToggle={() => selection.toggle(item)}
            onAct={(name) => void act([item], name)}
            onRemove={() => setToRemove([item])}
          />
        )}
      </Rows>
      <SelectionBar selection={selection}>
        {STATES.map((name) => (
          <Button
            key={name}
            className="text-sm aria-disabled:cursor-default aria-disabled:opacity-55"
            aria-disabled={changeable[name].length === 0}
            onClick={ignoreDoubleClick(() => {
              if (changeable[name].length > 0) void act(changeable[name], name);
            })}
          >
            {LABELS[name]}
          </Button>
        ))}
        <Button
          className="text-sm"
          variant="danger"
          onClick={ignoreDoubleClick(() => setToRemove([...selected]))}
        >
          Remove
        </Button>
      </SelectionBar>
      {toRemove && (
        <AlertDialog
          title="Remove"
          text={
            toRemove.length === 1
              ? `This removes "${toRemove[0]?.title}" with its earlier versions.`
              : `This removes ${toRemove.length} items and pictures with their earlier versions.`
          }
          onCancel={() => setToRemove(null)}
        >
          <Button onClick={() => setToRemove(null)}>Cancel</Button>
          <Button variant="danger" onClick={() => void act(toRemove, "remove")}>
            Remove
          </Button>
        </AlertDialog>
      )}
    </Panel>
  );
}

interface ItemRowProps {
  item: ListedItem;
  status: RowStatus | null;
  isSelected: boolean;
  onToggle(): void;
  onAct(name: (typeof STATES)[number]): void;
  onRemove(): void;
}

function ItemRow({ item, status, isSelected, onToggle, onAct, onRemove }: ItemRowProps) {
  const { id, title, type, created_at, published, author, author_id, bytes } = item;
  const titleId = useId();
  const kind = KINDS.find((each) => kindSlug(each) === type);
  return (
    <li data-subject={referenceTo(item)} className="flex items-start gap-x-2 border-b border-rule py-1">
      <RowCheckbox label={title} isChecked={isSelected} onToggle={onToggle} />
      {!kind && (
        <img
          src={`${PUBLIC_PATH}${id}`}
          alt=""
          loading="lazy"
          width="56"
          height="56"
          className="size-14 shrink-0 bg-sunken object-cover"
        />
      )}
      <div className="flex min-w-0 grow flex-wrap items-start justify-between gap-x-8 gap-y-1">
        <div className="min-w-0 basis-80 grow pt-2">
          <p id={titleId} dir="auto" className="line-clamp-2 font-semibold wrap-anywhere">
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
          <RowStatusText status={status} />
        </div>
        <div className="flex gap-1">
          {published !== null && (
            <Button
              className="scroll-mb-40 text-sm"
              variant="plain"
              aria-describedby={titleId}
              onClick={() => onAct(published ? "unpublish" : "publish")}
            >
              {published ? LABELS.unpublish : LABELS.publish}
            </Button>
          )}
          <Button
            className="scroll-mb-40 text-sm text-danger"
            variant="plain"
            aria-describedby={titleId}
            onClick={ignoreDoubleClick(onRemove)}
          >
            Remove
          </Button>
        </div>
      </div>
    </li>
  );
}
