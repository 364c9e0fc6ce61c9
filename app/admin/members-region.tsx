import { useId, useState } from "react";
import { flushSync } from "react-dom";
import { Link } from "react-router";
import { personPath } from "../../common/data/addresses.ts";
import { authorName } from "../../common/data/author.ts";
import type { ActionResult, ListedMember } from "../../common/data/operators.ts";
import { KINDS } from "../../common/kinds/index.ts";
import { Button, ignoreDoubleClick } from "../ui/button.tsx";
import { Chip } from "../ui/chip.tsx";
import { LocalTime } from "../ui/local-date.tsx";
import { Panel } from "../ui/panel.tsx";
import { useActions } from "./actions.tsx";
import { callAdmin } from "./admin-api.ts";
import { InviteForm } from "./invite-form.tsx";
import { MemberDialog, type MemberQuestion } from "./member-dialogs.tsx";
import { OutcomeNotices, useOutcomes } from "./outcome.tsx";
import { Rows, RowsSearch, useRowsSearch } from "./rows.tsx";
import { useRows } from "./use-rows.ts";

const SEARCH = "members";

/** The labels of the actions, which are also the paths of their requests. */
const LABELS = {
  suspend: "Suspend",
  unsuspend: "Unsuspend",
  retire: "Retire",
  unretire: "Unretire",
  "password-link": "Send Password Link",
  feature: "Feature",
  unfeature: "Unfeature",
  "clear-profile": "Clear Profile",
  "remove-content": "Remove Content",
  remove: "Remove",
};

export function MembersRegion() {
  const { send } = useActions();
  const list = useRows<ListedMember>("/members", useRowsSearch(SEARCH), ({ created_at, id }) => ({
    created_at,
    id,
  }));
  const { run, receiveFocus, ...outcomes } = useOutcomes();
  const [question, setQuestion] = useState<MemberQuestion | null>(null);

  async function act(member: ListedMember, name: keyof typeof LABELS, body: object = {}) {
    setQuestion(null);
    const isDone = await run(`members/${member.id}`, `${LABELS[name]}: ${member.email}…`, () =>
      send<ActionResult>(`/members/${member.id}/${name}`, body),
    );
    if (!isDone) return;
    const query = new URLSearchParams({ q: member.id });
    const found = await callAdmin<{ rows: ListedMember[] }>(`/members?${query}`).catch(() => undefined);
    if (!found) return;
    flushSync(() => list.change((rows) => rows.flatMap((row) => (row.id === member.id ? found.rows : row))));
    if (found.rows.length === 0) receiveFocus();
  }

  return (
    <Panel title="Members" anchor="members">
      <div className="mb-10">
        <InviteForm onInvited={list.reload} />
      </div>
      <RowsSearch name={SEARCH} label="Search members" placeholder="Search by email or name..." />
      <OutcomeNotices {...outcomes} />
      <Rows list={list} label="Members" empty="No member matches the search.">
        {(member) => (
          <MemberRow
            key={member.id}
            member={member}
            onAct={(name) => void act(member, name)}
            onAsk={(kind) => setQuestion({ kind, member })}
          />
        )}
      </Rows>
      {question && (
        <MemberDialog
          question={question}
          onCancel={() => setQuestion(null)}
          onConfirm={(body) => void act(question.member, question.kind, body)}
        />
      )}
    </Panel>
  );
}

interface MemberRowProps {
  member: ListedMember;
  onAct(name: keyof typeof LABELS): void;
  onAsk(kind: MemberQuestion["kind"]): void;
}

function MemberRow({ member, onAct, onAsk }: MemberRowProps) {
  const { id, email, featured, state, counts } = member;
  const emailId = useId();
  const action = (name: keyof typeof LABELS, onClick: () => void, variant?: "danger") => (
    <Button
      aria-describedby={emailId}
      onClick={ignoreDoubleClick(onClick)}
      {...(variant && { variant })}
      className="text-sm"
    >
      {LABELS[name]}
    </Button>
  );
  return (
    <li className="grid gap-x-8 gap-y-3 border-b border-rule py-4 lg:grid-cols-2">
      <div className="min-w-0">
        <p id={emailId} className="font-semibold wrap-anywhere">
          {email}
        </p>
        <p className="wrap-anywhere text-muted">
          <Link to={personPath(id)} className="underline underline-offset-4">
            <bdi>{authorName(member)}</bdi>
          </Link>
        </p>
        <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
          <State member={member} />
          {KINDS.map(({ table, name }) => (
            <span key={table}>{`${name}: ${counts[table] ?? 0}`}</span>
          ))}
          <LastSignIn member={member} />
          <Link
            to={`?content=${encodeURIComponent(`@${id}`)}#content`}
            preventScrollReset
            className="inline-flex min-h-11 items-center underline underline-offset-4"
          >
            Content
          </Link>
        </p>
      </div>
      <div className="flex flex-wrap content-start gap-2 lg:justify-end">
        {state === "suspended" && action("unsuspend", () => onAct("unsuspend"))}
        {(state === "active" || state === "invited") && action("suspend", () => onAsk("suspend"))}
        {state === "former"
          ? action("unretire", () => onAct("unretire"))
          : action("retire", () => onAsk("retire"))}
        {action("password-link", () => onAct("password-link"))}
        {featured ? action("unfeature", () => onAct("unfeature")) : action("feature", () => onAct("feature"))}
        {action("clear-profile", () => onAsk("clear-profile"))}
        {action("remove-content", () => onAsk("remove-content"))}
        {action("remove", () => onAsk("remove"), "danger")}
      </div>
    </li>
  );
}

function State({ member: { state, suspended_until, is_operator } }: { member: ListedMember }) {
  return (
    <>
      <Chip>
        {state}
        {suspended_until && (
          <>
            {" until "}
            <LocalTime time={suspended_until} />
          </>
        )}
      </Chip>
      {is_operator && <Chip>operator</Chip>}
    </>
  );
}

function LastSignIn({ member: { last_sign_in_at } }: { member: ListedMember }) {
  if (last_sign_in_at === null) return <span>Never signed in</span>;
  return (
    <span>
      {"Last sign-in: "}
      <LocalTime time={last_sign_in_at} />
    </span>
  );
}
