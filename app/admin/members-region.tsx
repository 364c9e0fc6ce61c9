import { useState } from "react";
import { flushSync } from "react-dom";
import type { ActionResult, ListedMember } from "../../common/data/operators.ts";
import { Button, ignoreDoubleClick } from "../ui/button.tsx";
import { Panel } from "../ui/panel.tsx";
import { Unread } from "../ui/unread.tsx";
import { ActionMenu } from "./action-menu.tsx";
import { useActions } from "./actions.tsx";
import { callAdmin } from "./admin-api.ts";
import { InviteForm } from "./invite-form.tsx";
import { applies, DANGEROUS, LABELS, likelyAction, type MemberAction } from "./member-actions.ts";
import { isQuestion, MemberDialog, type MemberQuestion } from "./member-dialogs.tsx";
import { focusActions, MemberHead, MemberRow } from "./member-row.tsx";
import { OutcomeNotices, useOutcomes } from "./outcome.tsx";
import { Rows, RowsFilter, RowsSearch, useRowsFilter, useRowsSearch } from "./rows.tsx";
import { SELECTION, SelectAll, SelectionBar, useSelection } from "./selection.tsx";
import { useRefreshAfter, useRows } from "./use-rows.ts";

const SEARCH = "members";
const STATE = "state";
const SORT = "sort";

const STATES = {
  "": "All States",
  active: "Active",
  invited: "Invited",
  suspended: "Suspended",
  former: "Former",
  operator: "Operators",
};
const SORTS = {
  created: "Newest Members",
  "sign-in": "Latest Sign-In",
  "-sign-in": "Earliest Sign-In",
  storage: "Most Storage",
  "-storage": "Least Storage",
};
/** The actions on a selection that have a button. The others are in the menu. */
const BUTTONS: readonly MemberAction[] = ["suspend", "unsuspend", "password-link"];

const subjectOf = ({ id }: Pick<ListedMember, "id">) => `members/${id}`;

/** `actionCount` changes after each action of another region. */
export function MembersRegion({ actionCount }: { actionCount: number }) {
  const { send } = useActions();
  const sort = useRowsFilter(SORT, SORTS);
  const list = useRows<ListedMember>("/members", {
    parameters: { q: useRowsSearch(SEARCH), sort, ...stateParameter(useRowsFilter(STATE, STATES)) },
    cursorOf: ({ created_at, last_sign_in_at, storage, id }) => ({
      created_at,
      last_sign_in_at,
      storage,
      id,
    }),
  });
  useRefreshAfter(actionCount, list.refresh);
  const { run, receiveFocus, leaveRow, statusOf, ...outcomes } = useOutcomes();
  const [question, setQuestion] = useState<MemberQuestion | null>(null);
  const selection = useSelection(list.page?.rows ?? [], subjectOf);

  async function act(members: ListedMember[], name: MemberAction, bodyOf: (member: ListedMember) => object) {
    setQuestion(null);
    const jobs = members.map((member) => ({
      subject: subjectOf(member),
      name: member.email,
      act: () => send<ActionResult>(`/members/${member.id}/${name}`, bodyOf(member)),
    }));
    const { changed, failed } = await run(LABELS[name], jobs, refresh);
    for (const subject of failed) await refresh(subject);
    if (members.length === 1) return;
    if (selection.leavesNone(changed)) leaveRow(SELECTION);
    flushSync(() => selection.leaveOut(changed));
    receiveFocus();
  }

  /** Reads the member's row again, which may be on the screen or not. */
  async function refresh(subject: string) {
    const id = subject.slice("members/".length);
    const query = new URLSearchParams({ q: id });
    const found = await callAdmin<{ rows: ListedMember[] }>(`/members?${query}`).catch(() => undefined);
    if (!found) return;
    const [row] = found.rows;
    if (!row) leaveRow(subject);
    else if (likelyAction(row) === undefined) focusActions(id);
    flushSync(() => list.change((rows) => rows.flatMap((each) => (each.id === id ? found.rows : each))));
  }

  function start(members: ListedMember[], action: MemberAction) {
    const changeable = members.filter((member) => applies(action, member));
    if (changeable.length === 0) return;
    if (isQuestion(action)) setQuestion({ kind: action, members: changeable });
    else void act(changeable, action, () => ({}));
  }

  const { selected } = selection;
  const inMenu = (Object.keys(LABELS) as MemberAction[]).filter((action) => !BUTTONS.includes(action));
  return (
    <Panel title="Members" anchor="members">
      {list.isUnread && <Unread />}
      <div className="mb-10">
        <InviteForm onInvited={list.reload} />
      </div>
      <RowsSearch name={SEARCH} label="Search members" placeholder="Search by email or name..." />
      <div className="mb-4 grid grid-cols-2 gap-4">
        <RowsFilter name={STATE} label="State" options={STATES} />
        <RowsFilter name={SORT} label="Sort" options={SORTS} />
      </div>
      <OutcomeNotices {...outcomes} />
      <SelectAll selection={selection} />
      <Rows
        list={list}
        label="Members"
        empty="No member matches the search."
        head={<MemberHead sort={sort} />}
      >
        {(member) => (
          <MemberRow
            key={member.id}
            member={member}
            status={statusOf(subjectOf(member))}
            isSelected={selection.has(member)}
            onToggle={() => selection.toggle(member)}
            onAct={(action) => start([member], action)}
          />
        )}
      </Rows>
      <SelectionBar selection={selection}>
        {BUTTONS.map((action) => (
          <Button
            key={action}
            className="text-sm aria-disabled:cursor-default aria-disabled:opacity-55"
            aria-disabled={!selected.some((member) => applies(action, member))}
            onClick={ignoreDoubleClick(() => start(selected, action))}
          >
            {LABELS[action]}
          </Button>
        ))}
        <ActionMenu
          label="More actions for the selection"
          items={inMenu
            .filter((action) => selected.some((member) => applies(action, member)))
            .map((action) => ({
              label: LABELS[action],
              isDangerous: DANGEROUS.includes(action),
              onChoose: () => start(selected, action),
            }))}
        />
      </SelectionBar>
      {question && (
        <MemberDialog
          question={question}
          onCancel={() => setQuestion(null)}
          onConfirm={(bodyOf) => void act(question.members, question.kind, bodyOf)}
        />
      )}
    </Panel>
  );
}

/** The API rejects an empty state. */
const stateParameter = (state: string) => (state ? { state } : {});
