import { useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import { Link } from "react-router";
import { itemPath } from "../../common/data/addresses.ts";
import { deleteRow } from "../../common/data/content-writes.ts";
import { type OwnItem, type OwnItemsQuery, readOwnItems, setPublished } from "../../common/data/own-items.ts";
import { KINDS } from "../../common/kinds/index.ts";
import { DELETIONS, type Deletion } from "../history/deletion.ts";
import {
  DeletionNotice,
  preloadNotice,
  restoringRow,
  useDeletions,
  useReloadAfterUndo,
} from "../history/deletion-context.tsx";
import type { RestoreOutcome } from "../history/versions.ts";
import { useOperation } from "../operation/use-operation.ts";
import { usePages } from "../operation/use-pages.ts";
import { memberData } from "../session/member-data.ts";
import { announce } from "../ui/announce.tsx";
import { Button, ignoreDoubleClick } from "../ui/button.tsx";
import { Checkbox, Select, TextField } from "../ui/field.tsx";
import { LocalDate } from "../ui/local-date.tsx";
import { LongList } from "../ui/long-list.tsx";
import { Empty, Panel } from "../ui/panel.tsx";
import { TryAgain } from "../ui/try-again.tsx";
import { Unread } from "../ui/unread.tsx";
import { applyToEach, itemCount } from "./selection.ts";

const PAGE_SIZE = 50;
/** A search starts this long after the last key. */
const TYPING_MS = 250;

const ALL_KINDS = { "": "All Kinds", ...Object.fromEntries(KINDS.map(({ table, name }) => [table, name])) };
const STATES = { "": "All States", published: "Published", unpublished: "Unpublished" };

type Filter = Pick<OwnItemsQuery, "text" | "table" | "state">;

interface OwnItemsProps {
  userId: string;
  /** A change reads the items again. */
  additionCount: number;
  /** Called after items were deleted, and after Undo. */
  onDeleted(): void;
}

/** Everything that the member has written, with actions for several items at once (contract, "Your items"). */
export function OwnItems({ userId, additionCount, onDeleted }: OwnItemsProps) {
  const [typed, setTyped] = useState("");
  const [filter, setFilter] = useState<Filter>({ text: "", table: "", state: "" });
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());

  const shownFilter = JSON.stringify(filter);
  async function readPage(after?: OwnItem) {
    const items = await readOwnItems(await memberData(), { userId, ...filter, after, size: PAGE_SIZE + 1 });
    return { rows: items.slice(0, PAGE_SIZE), isComplete: items.length <= PAGE_SIZE, filter: shownFilter };
  }
  const { value, hasFailed, isReading, isUnread, refresh, retry, showMore } = usePages(
    readPage,
    `${shownFilter} ${additionCount}`,
  );
  const refreshAfterUndo = useCallback(async () => {
    await refresh();
    onDeleted();
  }, [refresh, onDeleted]);
  useReloadAfterUndo("items", refreshAfterUndo);
  useEffect(preloadNotice, []);
  useEffect(() => {
    const timer = setTimeout(() => setFilter((before) => ({ ...before, text: typed.trim() })), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);

  function toggle(id: string) {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    setSelected(next);
  }

  function changeFilter(part: Partial<Filter>) {
    setFilter((before) => ({ ...before, ...part }));
    setSelected(new Set());
  }

  const items = value?.rows ?? [];
  // Items that the list no longer shows are not selected.
  const chosen = items.filter(({ id }) => selected.has(id));
  const isFiltered = filter.text !== "" || filter.table !== "" || filter.state !== "";
  const empty = isFiltered ? "None of your items match." : "You have not written anything yet.";
  const announceCount = useEffectEvent(() => {
    const found = `${value?.isComplete ? "" : "More than "}${itemCount(items.length)}.`;
    announce(items.length === 0 ? empty : found);
  });
  const announced = useRef(shownFilter);
  const foundFilter = value?.filter;
  useEffect(() => {
    if (foundFilter === undefined || foundFilter === announced.current) return;
    announced.current = foundFilter;
    announceCount();
  }, [foundFilter]);
  return (
    <Panel title="Your Items" anchor="items">
      {isUnread && <Unread />}
      <search className="grid grid-cols-2 items-end gap-4 sm:grid-cols-3">
        <div className="max-sm:col-span-2">
          <TextField
            label="Search your items"
            type="search"
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        </div>
        <Select
          label="Kind"
          options={ALL_KINDS}
          value={filter.table}
          onChange={({ currentTarget }) => changeFilter({ table: currentTarget.value })}
        />
        <Select
          label="State"
          options={STATES}
          value={filter.state}
          onChange={({ currentTarget }) => changeFilter({ state: currentTarget.value as Filter["state"] })}
        />
      </search>
      <DeletionNotice place="items" />
      {value && items.length > 0 && (
        <SelectionActions
          items={items}
          chosen={chosen}
          onSelect={(ids) => setSelected(new Set(ids))}
          onChanged={refresh}
          onDeleted={onDeleted}
        />
      )}
      <LongList
        rows={items}
        label="Your items"
        className="mt-2 w-full border-t border-rule text-sm"
        head={<ItemsHead />}
        hasMore={value?.isComplete === false && !hasFailed}
        isBusy={isReading}
        onMore={() => void showMore()}
        target="a"
      >
        {(item) => (
          <ItemRow
            key={`${item.kind.table}/${item.id}`}
            item={item}
            isSelected={selected.has(item.id)}
            onToggle={toggle}
          />
        )}
      </LongList>
      {value && items.length === 0 && <Empty>{empty}</Empty>}
      {hasFailed && (
        <TryAgain text="Your items could not be read." isReading={isReading} onRetry={() => void retry()} />
      )}
    </Panel>
  );
}

interface SelectionActionsProps {
  items: OwnItem[];
  chosen: OwnItem[];
  onSelect(ids: string[]): void;
  onChanged(): Promise<void>;
  onDeleted(): void;
}

/** The actions for all selected items. Each runs once at a time, and a failure leaves what failed selected. */
function SelectionActions({ items, chosen, onSelect, onChanged, onDeleted }: SelectionActionsProps) {
  const { show } = useDeletions();
  const { isPending, run } = useOperation("own-items");
  const [problem, setProblem] = useState("");
  const publishable = chosen.filter(({ published }) => published !== null);

  function act(
    all: OwnItem[],
    verb: string,
    change: (item: OwnItem) => Promise<unknown>,
    /** For deletions, after which it shows the notice. */
    after?: () => void,
  ) {
    setProblem("");
    return run(async () => {
      const { done, failed } = await applyToEach(all, change);
      const text = failed.length > 0 ? `${itemCount(failed.length)} could not be ${verb}. Try again.` : "";
      onSelect(failed.map(({ id }) => id));
      await onChanged();
      after?.();
      setProblem(text);
      const report = done.length > 0 && !after ? `${itemCount(done.length)} ${verb}. ` : "";
      if (report || text) announce(report + text);
    }, after && DELETIONS);
  }

  const publish = (published: boolean) =>
    act(publishable, published ? "published" : "unpublished", async (item) =>
      setPublished(await memberData(), item, published),
    );

  function remove() {
    const deleted: Deleted[] = [];
    const removeOne = async (item: OwnItem) => {
      const client = await memberData();
      const row = await deleteRow(client, item.kind.table, item.id);
      // If another tab has already deleted the row, there is nothing to undo.
      if (row) deleted.push({ item, restore: restoringRow(client, item.kind, row) });
    };
    return act(chosen, "deleted", removeOne, () => {
      if (deleted.length > 0) show(deletionOf(deleted));
      onDeleted();
    });
  }

  /** Disabled buttons stay focusable, so that an action that ends the selection doesn't lose the focus. */
  const action = (all: OwnItem[], start: () => void) => ({
    "aria-disabled": isPending || all.length === 0,
    className: "aria-disabled:cursor-default aria-disabled:opacity-55",
    onClick: ignoreDoubleClick(() => {
      if (!isPending && all.length > 0) start();
    }),
  });
  return (
    <div className="mt-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Checkbox
          label="Select all"
          checked={chosen.length === items.length}
          onChange={({ currentTarget }) => onSelect(currentTarget.checked ? items.map(({ id }) => id) : [])}
        />
        <span className="font-mono text-sm text-muted">
          {chosen.length > 0 && `${chosen.length} selected`}
        </span>
        <div className="flex flex-wrap gap-2">
          <Button {...action(publishable, () => void publish(true))}>Publish</Button>
          <Button {...action(publishable, () => void publish(false))}>Unpublish</Button>
          <Button variant="danger" {...action(chosen, () => void remove())}>
            Delete
          </Button>
        </div>
      </div>
      {problem && <p className="mt-2 font-medium text-danger">{problem}</p>}
    </div>
  );
}

interface Deleted {
  item: OwnItem;
  restore: Deletion["restore"];
}

/** One notice for all deleted items. Its Undo restores all of them, and after a failure those that are still missing. */
function deletionOf(deleted: Deleted[]): Deletion {
  let missing = deleted;
  return {
    title: deleted.length === 1 ? (deleted[0]?.item.title ?? "") : itemCount(deleted.length),
    count: deleted.length,
    takesFocus: true,
    id: "items",
    place: "items",
    async restore() {
      const outcomes: RestoreOutcome[] = [];
      const failed: Deleted[] = [];
      for (const each of missing) {
        const outcome = await each.restore();
        outcomes.push(outcome);
        if (outcome === "failed") failed.push(each);
      }
      missing = failed;
      return outcomes.find((outcome) => outcome === "failed" || outcome === "taken") ?? "restored";
    },
  };
}

/** Narrow screens show these values below the title, and hide the headers from sight. */
function ItemsHead() {
  return (
    <tr className="border-b border-rule font-mono text-muted *:py-2 *:pe-3 *:text-start *:font-normal max-sm:sr-only">
      <th scope="col">
        <span className="sr-only">Selected</span>
      </th>
      <th scope="col">Title</th>
      <th scope="col" className="max-sm:hidden">
        Kind
      </th>
      <th scope="col" className="max-sm:hidden">
        State
      </th>
      <th scope="col" className="max-sm:hidden">
        Date
      </th>
      <th scope="col">
        <span className="sr-only">Edit</span>
      </th>
    </tr>
  );
}

interface ItemRowProps {
  item: OwnItem;
  isSelected: boolean;
  onToggle(id: string): void;
}

function ItemRow({ item, isSelected, onToggle }: ItemRowProps) {
  const { kind, id, title, created_at, published } = item;
  const path = itemPath(kind, item);
  const state = published === null ? "" : published ? "Published" : "Unpublished";
  return (
    <tr className="border-b border-rule *:pe-3">
      <td className="w-11">
        <label className="-ms-3 grid size-11 place-items-center">
          <input
            type="checkbox"
            className="size-5 accent-ink"
            aria-label={title}
            checked={isSelected}
            onChange={() => onToggle(id)}
          />
        </label>
      </td>
      <td className="py-1">
        <Link
          to={path}
          dir="auto"
          className="inline-flex min-h-11 items-center text-base font-semibold wrap-anywhere underline underline-offset-4"
        >
          {title}
        </Link>
        {/* Narrow screens have no room for the other columns. */}
        <p className="flex flex-wrap gap-x-3 text-muted sm:hidden">
          <span>{kind.itemName}</span>
          {state && <span>{state}</span>}
          <LocalDate time={created_at} />
        </p>
      </td>
      <td className="whitespace-nowrap max-sm:hidden">{kind.itemName}</td>
      <td className="whitespace-nowrap max-sm:hidden">{state}</td>
      <td className="whitespace-nowrap max-sm:hidden">
        <LocalDate time={created_at} />
      </td>
      <td className="text-end whitespace-nowrap">
        <Link
          to={`${path}#edit`}
          aria-label={`Edit ${title}`}
          className="inline-flex min-h-11 items-center underline underline-offset-4"
        >
          Edit
        </Link>
      </td>
    </tr>
  );
}
