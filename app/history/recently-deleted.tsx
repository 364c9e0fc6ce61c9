import { useCallback, useEffect, useRef, useState } from "react";
import type { StoredRow } from "../../common/data/schema.ts";
import { KINDS } from "../../common/kinds/index.ts";
import type { KindDefinition } from "../../common/kinds/kind-definition.ts";
import { useOperation } from "../operation/use-operation.ts";
import { useRead } from "../operation/use-read.ts";
import { memberData } from "../session/member-data.ts";
import { announce } from "../ui/announce.tsx";
import { Button, ignoreDoubleClick } from "../ui/button.tsx";
import { capitalized } from "../ui/capitalized.ts";
import { Disclosure, focusOpened } from "../ui/disclosure.tsx";
import { focusBeforeRemoval, mayMoveFocus } from "../ui/focus.ts";
import { LocalTime } from "../ui/local-date.tsx";
import { SteppedList } from "../ui/long-list.tsx";
import { Panel } from "../ui/panel.tsx";
import { TryAgain } from "../ui/try-again.tsx";
import { Unread } from "../ui/unread.tsx";
import { restoreProblem } from "./restore-texts.ts";
import { type RestoreOutcome, readDeleted, readVersionRow, restoreRow, type Version } from "./versions.ts";

const kindOf = ({ item_table }: Version) => KINDS.find(({ table }) => table === item_table);

const ITEMS_PER_PAGE = 100;

interface RecentlyDeletedProps {
  /** A change reads the deleted items again. */
  deletionCount: number;
  onRestored(): void;
}

export function RecentlyDeleted({ deletionCount, onRestored }: RecentlyDeletedProps) {
  const {
    value: versions,
    hasFailed,
    isReading,
    isUnread,
    retry,
    change,
  } = useRead(
    async () =>
      readDeleted(
        await memberData(),
        KINDS.map(({ table }) => table),
      ),
    deletionCount,
  );
  if (!versions)
    return (
      <Panel title="Recently Deleted" anchor="deleted">
        {isUnread && <Unread />}
        {hasFailed && (
          <TryAgain
            text="Your deleted items could not be read."
            isReading={isReading}
            onRetry={() => void retry()}
          />
        )}
      </Panel>
    );
  return (
    <Panel
      title="Recently Deleted"
      anchor="deleted"
      empty={versions.length === 0 && "There are no deleted items from the last 30 days."}
    >
      <SteppedList rows={versions} step={ITEMS_PER_PAGE} className="-mt-6">
        {(version) => {
          const kind = kindOf(version);
          if (!kind) return null;
          return (
            <DeletedItem
              key={version.id}
              version={version}
              kind={kind}
              onRestored={() => {
                change((known) => known.filter(({ id }) => id !== version.id));
                onRestored();
              }}
            />
          );
        }}
      </SteppedList>
    </Panel>
  );
}

interface DeletedItemProps {
  version: Version;
  kind: KindDefinition;
  onRestored(): void;
}

function DeletedItem({ version, kind, onRestored }: DeletedItemProps) {
  const { title } = version;
  const element = useRef<HTMLLIElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [row, setRow] = useState<StoredRow | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isLeaving, setIsLeaving] = useState(false);
  const { isPending, run } = useOperation(`${kind.table}/${version.item_id}`);

  const read = useCallback(async () => {
    const stored = await readVersionRow(await memberData(), version.id);
    if (stored) setRow(stored);
    return stored;
  }, [version.id]);
  useEffect(() => {
    if (isOpen) void read().catch(() => undefined);
  }, [isOpen, read]);

  async function restore() {
    if (isLeaving) return;
    setProblem(null);
    const result = await run(async (): Promise<RestoreOutcome> => {
      const stored = row ?? (await read());
      return stored ? restoreRow(await memberData(), kind, knownColumns(kind, stored)) : "failed";
    });
    if (result.is === "superseded") return;
    const failure = restoreProblem(result.is === "done" ? result.value : "failed", `"${title}"`);
    if (failure) return setProblem(failure);
    const rows = [...(element.current?.parentElement?.children ?? [])].filter(isStaying);
    const place = rows.indexOf(element.current as Element);
    const neighbour = rows[place + 1] ?? rows[place - 1];
    const next = (neighbour ?? document).querySelector<HTMLElement>(neighbour ? "button" : "main h1");
    if (next && mayMoveFocus(element.current)) {
      setIsLeaving(true);
      focusBeforeRemoval(next, onRestored);
    } else onRestored();
    // After the focus has moved, because Orca drops earlier announcements then.
    announce(`Restored ${title}`);
  }

  return (
    <li ref={element} data-is-leaving={isLeaving || undefined} className="border-b border-rule py-3">
      <div className="flex items-start justify-between gap-4">
        <div className="min-w-0">
          <p dir="auto" className="font-medium [overflow-wrap:anywhere]">
            {title}
          </p>
          <p className="text-sm text-muted">
            {`${kind.itemName}, deleted `}
            <LocalTime time={version.replaced_at} />
          </p>
        </div>
        <Button
          className="shrink-0"
          aria-label={`Restore ${title}`}
          aria-disabled={isPending || isLeaving}
          onClick={ignoreDoubleClick(restore)}
        >
          Restore
        </Button>
      </div>
      {problem && (
        <p role="alert" className="mt-1 text-sm font-medium text-danger">
          {problem}
        </p>
      )}
      <Disclosure
        isOpen={isOpen}
        onToggle={() => setIsOpen(!isOpen)}
        className="min-h-11 py-2.5 text-sm underline underline-offset-4"
        label={
          <>
            Preview<span className="sr-only">{` ${title}`}</span>
          </>
        }
      >
        {row && <Preview title={title} kind={kind} row={row} />}
      </Disclosure>
    </li>
  );
}

const isStaying = (row: Element) => !row.matches("[data-is-leaving]");

function Preview({ title, kind, row }: { title: string; kind: KindDefinition; row: StoredRow }) {
  const columns = Object.entries(kind.columns).filter(
    ([name, { type }]) => name !== "title" && type !== "flag" && row[name],
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form
    <div
      ref={focusOpened}
      role="group"
      aria-label={`Preview of ${title}`}
      className="space-y-3 pb-3 outline-none"
    >
      {columns.map(([name, column]) => (
        // The label comes first also for screen readers, which read on after the first line.
        <div key={name}>
          <p className="font-mono text-sm text-muted">{capitalized(column.noun ?? name)}</p>
          <p
            dir="auto"
            className={`whitespace-pre-wrap [overflow-wrap:anywhere] ${column.type === "code" ? "font-mono text-sm" : ""}`}
          >
            {shortened(String(row[name]))}
          </p>
        </div>
      ))}
    </div>
  );
}

const PREVIEW_CHARACTERS = 1_000;

const shortened = (text: string) =>
  text.length > PREVIEW_CHARACTERS ? `${text.slice(0, PREVIEW_CHARACTERS)}…` : text;

/**
 * Keeps the id, the owner, the creation date and the columns that members fill in. A version from an older release may
 * contain columns that the table no longer has, and inserting them would fail.
 */
function knownColumns({ columns, ownerColumn }: KindDefinition, row: StoredRow): StoredRow {
  const known = new Set(["id", "created_at", ownerColumn, ...Object.keys(columns)]);
  return Object.fromEntries(Object.entries(row).filter(([name]) => known.has(name))) as StoredRow;
}
