import { useId, useState } from "react";
import { flushSync } from "react-dom";
import { Link } from "react-router";
import { itemPath, personPath } from "../../common/data/addresses.ts";
import type { ActionResult, ReportedGroup } from "../../common/data/operators.ts";
import { KINDS } from "../../common/kinds/index.ts";
import { Button, ignoreDoubleClick } from "../ui/button.tsx";
import { AlertDialog } from "../ui/dialog.tsx";
import { Select } from "../ui/field.tsx";
import { LocalTime } from "../ui/local-date.tsx";
import { Panel } from "../ui/panel.tsx";
import { Unread } from "../ui/unread.tsx";
import { useActions } from "./actions.tsx";
import { DURATIONS } from "./member-dialogs.tsx";
import { useNeeds } from "./needs.tsx";
import { OutcomeNotices, type RowStatus, RowStatusText, useOutcomes } from "./outcome.tsx";
import { Rows } from "./rows.tsx";
import { useRefreshAfter, useRows } from "./use-rows.ts";

type Action = "unpublish" | "remove" | "suspend" | "dismiss";

const ACTION_NAMES: Record<Action, string> = {
  unpublish: "Unpublish",
  remove: "Remove",
  suspend: "Suspend",
  dismiss: "Dismiss",
};

const UNNAMED = "Unnamed member";

const keyOf = ({ table, id }: ReportedGroup) => `${table}/${id}`;
const kindOf = ({ table }: ReportedGroup) => KINDS.find((kind) => kind.table === table);
// Some addresses contain characters that end a URL's path.
const mailTo = (email: string) => `mailto:${encodeURIComponent(email).replace("%40", "@")}`;
const titleOf = ({ title }: ReportedGroup) => title || UNNAMED;

/**
 * Readers' reports, grouped by item or person, the most reports first. Each action ends a group.
 * `actionCount` changes after each action of another region.
 */
export function ReportsRegion({ actionCount }: { actionCount: number }) {
  const { send } = useActions();
  const list = useRows<ReportedGroup>("/reports", {
    parameters: {},
    cursorOf: ({ count, latest, id }) => ({ count, latest, id }),
  });
  useRefreshAfter(actionCount, list.refresh);
  const { run, receiveFocus, leaveRow, statusOf, ...outcomes } = useOutcomes();
  const [question, setQuestion] = useState<{ group: ReportedGroup; action: "remove" | "suspend" } | null>(
    null,
  );
  const open = list.page?.rows.length ?? 0;
  const counted = `${list.page?.isComplete === false ? "more than " : ""}${open}`;
  const subjects = open === 1 ? "item or person" : "items or people";
  const needs = open === 0 ? [] : [`Readers have reported ${counted} ${subjects}.`];
  useNeeds("reports", list.isUnread ? null : needs);

  async function end(group: ReportedGroup, action: Action, details: object = {}) {
    setQuestion(null);
    const { table, id } = group;
    const job = {
      subject: keyOf(group),
      name: titleOf(group),
      act: () => send<ActionResult>(`/reports/${action}`, { table, id, ...details }),
    };
    await run(ACTION_NAMES[action], [job], async () => {
      leaveRow(keyOf(group));
      flushSync(() => list.change((groups) => groups.filter((each) => keyOf(each) !== keyOf(group))));
    });
    // Other operators may have ended this group, or others.
    await list.refresh();
    receiveFocus();
  }

  return (
    <Panel title="Reports" anchor="reports">
      {list.isUnread && <Unread />}
      <p className="mb-4 text-sm text-muted">
        What readers have reported. Nothing is hidden automatically. Reports are removed after 90 days.
      </p>
      <OutcomeNotices {...outcomes} />
      <Rows list={list} label="Reports" empty="There are no open reports.">
        {(group) => (
          <Group
            key={keyOf(group)}
            group={group}
            status={statusOf(keyOf(group))}
            onAction={(action) =>
              action === "remove" || action === "suspend"
                ? setQuestion({ group, action })
                : void end(group, action)
            }
          />
        )}
      </Rows>
      {question && (
        <Question
          {...question}
          onCancel={() => setQuestion(null)}
          onConfirm={(details) => void end(question.group, question.action, details)}
        />
      )}
    </Panel>
  );
}

interface QuestionProps {
  group: ReportedGroup;
  action: "remove" | "suspend";
  onCancel(): void;
  onConfirm(details: object): void;
}

function Question({ group, action, onCancel, onConfirm }: QuestionProps) {
  const [duration, setDuration] = useState("7d");
  const isSuspension = action === "suspend";
  const text = isSuspension
    ? `${titleOf(group)} will be signed out, and cannot sign in during this time. Their content stays.`
    : `This removes "${titleOf(group)}" with its earlier versions, and the reports about it.`;
  return (
    <AlertDialog
      title={ACTION_NAMES[action]}
      text={text}
      onCancel={onCancel}
      fields={
        isSuspension && (
          <Select
            label="Duration"
            options={DURATIONS}
            value={duration}
            onChange={({ target }) => setDuration(target.value)}
          />
        )
      }
    >
      <Button onClick={onCancel}>Cancel</Button>
      <Button
        variant="danger"
        onClick={() => onConfirm(isSuspension && duration !== "" ? { for: duration } : {})}
      >
        {ACTION_NAMES[action]}
      </Button>
    </AlertDialog>
  );
}

interface GroupProps {
  group: ReportedGroup;
  status: RowStatus | null;
  onAction(action: Action): void;
}

function Group({ group, status, onAction }: GroupProps) {
  const { count, reports, author, author_id, published } = group;
  const titleId = useId();
  const kind = kindOf(group);
  const title = titleOf(group);
  const actions: Action[] = [
    ...(published ? (["unpublish"] as const) : []),
    kind ? "remove" : "suspend",
    "dismiss",
  ];
  return (
    <li data-subject={keyOf(group)} className="border-b border-rule py-4">
      <div className="flex flex-wrap items-start justify-between gap-x-8 gap-y-3">
        <div className="min-w-0 grow basis-80">
          <p id={titleId} dir="auto" className="font-semibold wrap-anywhere">
            <Link
              to={kind ? itemPath(kind, group) : personPath(group.id)}
              className="underline underline-offset-4"
            >
              {title}
            </Link>
          </p>
          <p className="mt-1 flex flex-wrap gap-x-3 gap-y-1 text-sm text-muted">
            <span>{count === 1 ? "1 report" : `${count} reports`}</span>
            <span>{kind ? kind.itemName : "Person"}</span>
            {published !== null && <span>{published ? "published" : "unpublished"}</span>}
            {kind && (
              <Link to={personPath(author_id)} className="underline underline-offset-4">
                <bdi>{author || UNNAMED}</bdi>
              </Link>
            )}
          </p>
          <RowStatusText status={status} />
        </div>
        <div className="flex flex-wrap gap-1 max-sm:-ms-3">
          {actions.map((action) => (
            <Button
              key={action}
              variant="plain"
              className={`text-sm ${action === "remove" || action === "suspend" ? "text-danger" : ""}`}
              aria-describedby={titleId}
              onClick={ignoreDoubleClick(() => onAction(action))}
            >
              {ACTION_NAMES[action]}
            </Button>
          ))}
        </div>
      </div>
      <ul className="mt-3 space-y-3" aria-label={`Reasons to report ${title}`}>
        {reports.map((report) => (
          <li key={report.id} className="border-s-2 border-rule ps-4">
            <p dir="auto" className="max-w-measure whitespace-pre-line wrap-anywhere">
              {report.reason}
            </p>
            <p className="text-sm text-muted">
              <LocalTime time={report.created_at} />
              {report.email && (
                <>
                  {", "}
                  <a href={mailTo(report.email)} className="underline underline-offset-4">
                    {report.email}
                  </a>
                </>
              )}
            </p>
          </li>
        ))}
      </ul>
    </li>
  );
}
