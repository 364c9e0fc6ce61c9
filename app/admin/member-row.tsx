import type { ReactNode } from "react";
import { Link } from "react-router";
import { personPath } from "../../common/data/addresses.ts";
import { authorName, storedName } from "../../common/data/author.ts";
import type { ListedMember } from "../../common/data/operators.ts";
import { KINDS } from "../../common/kinds/index.ts";
import { Button, ignoreDoubleClick } from "../ui/button.tsx";
import { Chip } from "../ui/chip.tsx";
import { mayMoveFocus } from "../ui/focus.ts";
import { LocalDate } from "../ui/local-date.tsx";
import { ActionMenu } from "./action-menu.tsx";
import { formatBytes } from "./format-bytes.ts";
import { applies, DANGEROUS, LABELS, likelyAction, type MemberAction, nameOf } from "./member-actions.ts";
import { type RowStatus, RowStatusText } from "./outcome.tsx";
import { RowCheckbox } from "./selection.tsx";

/** Narrow screens show a row's cells one after the other, and hide the headers from sight. */
export function MemberHead({ sort }: { sort: string }) {
  return (
    <tr className="border-b border-rule font-mono text-sm text-muted *:py-2 *:pe-4 *:text-start *:font-normal *:whitespace-nowrap max-lg:sr-only">
      <th scope="col">
        <span className="sr-only">Selected</span>
      </th>
      <th scope="col">Member</th>
      <th scope="col">State</th>
      <th scope="col">Items</th>
      <Sorted by="sign-in" sort={sort}>
        Last Sign-In
      </Sorted>
      <Sorted by="storage" sort={sort}>
        Storage
      </Sorted>
      <th scope="col">
        <span className="sr-only">Actions</span>
      </th>
    </tr>
  );
}

function Sorted({ by, sort, children }: { by: string; sort: string; children: ReactNode }) {
  const order = sort === by ? "descending" : sort === `-${by}` ? "ascending" : undefined;
  return (
    <th scope="col" aria-sort={order}>
      {children}
    </th>
  );
}

const rowId = (id: string) => `member-${id}`;

/** Moves the focus from a row's visible action, which is about to disappear, to the row's menu. */
export function focusActions(id: string): void {
  const row = document.getElementById(rowId(id));
  if (!row || !mayMoveFocus(row) || row.querySelector(":is(a, input, [role=menuitem]):focus")) return;
  row.querySelector<HTMLElement>("[aria-haspopup=menu]")?.focus();
}

interface MemberRowProps {
  member: ListedMember;
  status: RowStatus | null;
  isSelected: boolean;
  onToggle(): void;
  onAct(action: MemberAction): void;
}

export function MemberRow({ member, status, isSelected, onToggle, onAct }: MemberRowProps) {
  const { id, email, counts, storage, last_sign_in_at, slug = id } = member;
  const name = storedName(member);
  const likely = likelyAction(member);
  const actions = (Object.keys(LABELS) as MemberAction[]).filter(
    (action) => action !== likely && applies(action, member),
  );
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return (
    <tr
      id={rowId(id)}
      data-subject={`members/${id}`}
      className="border-b border-rule max-lg:relative max-lg:flex max-lg:flex-wrap max-lg:items-center max-lg:gap-x-3 max-lg:ps-11 max-lg:pb-3 max-lg:text-sm lg:*:py-2 lg:*:pe-4"
    >
      <td className="w-11 max-lg:absolute max-lg:start-0 max-lg:top-0">
        <RowCheckbox label={name ? `${name} (${email})` : email} isChecked={isSelected} onToggle={onToggle} />
      </td>
      <th
        scope="row"
        className="text-start font-normal max-lg:min-h-11 max-lg:basis-full max-lg:pe-12 max-lg:pt-2.5 max-lg:text-base"
      >
        <span className="block font-semibold wrap-anywhere">{email}</span>
        <Link
          to={personPath(id)}
          className="inline-flex min-h-6 items-center text-muted underline underline-offset-4 wrap-anywhere"
        >
          <bdi>{authorName(member)}</bdi>
        </Link>
        <RowStatusText status={status} />
      </th>
      <td className="space-x-1 whitespace-nowrap">
        <State member={member} />
      </td>
      <td className="text-sm">
        <Link
          to={`?content=${encodeURIComponent(`@${slug}`)}#content`}
          preventScrollReset
          className="inline-flex min-h-8 items-center text-base underline underline-offset-4 max-lg:text-sm lg:min-h-6"
        >
          {`${total} ${total === 1 ? "item" : "items"}`}
        </Link>
        <span className="block text-muted max-lg:hidden">
          {KINDS.map(({ table, name }) => `${name}: ${counts[table] ?? 0}`).join(", ")}
        </span>
      </td>
      <td className="whitespace-nowrap">
        <span className="text-muted lg:hidden">Last sign-in: </span>
        {last_sign_in_at === null ? "Never" : <LocalDate time={last_sign_in_at} />}
      </td>
      <td className="whitespace-nowrap">{formatBytes(storage)}</td>
      <td className="max-lg:empty:hidden">
        <div className="flex items-center justify-end gap-2">
          {likely && (
            <Button
              className="scroll-mb-40 text-sm whitespace-nowrap"
              onClick={ignoreDoubleClick(() => onAct(likely))}
            >
              {LABELS[likely]}
            </Button>
          )}
          <ActionMenu
            label={`Actions for ${nameOf(member)}`}
            className="max-lg:absolute! max-lg:end-0 max-lg:top-0"
            items={actions.map((action) => ({
              label: LABELS[action],
              isDangerous: DANGEROUS.includes(action),
              onChoose: () => onAct(action),
            }))}
          />
        </div>
      </td>
    </tr>
  );
}

function State({ member: { state, suspended_until, is_operator, featured } }: { member: ListedMember }) {
  return (
    <>
      <Chip>
        {state}
        {suspended_until && (
          <>
            {" until "}
            <LocalDate time={suspended_until} />
          </>
        )}
      </Chip>
      {is_operator && <Chip>operator</Chip>}
      {featured && <Chip>featured</Chip>}
    </>
  );
}
