import type { LoggedAction } from "../../common/data/operators.ts";
import { LocalTime } from "../ui/local-date.tsx";
import { Panel } from "../ui/panel.tsx";
import { Rows } from "./rows.tsx";
import { useRows } from "./use-rows.ts";

/** `actionCount` changes after every action, so that the log shows it. */
export function LogRegion({ actionCount }: { actionCount: number }) {
  const cursorOf = ({ created_at, id }: LoggedAction) => ({ created_at, id });
  const list = useRows<LoggedAction>("/log", "", cursorOf, actionCount);
  return (
    <Panel title="Log" anchor="log">
      <p className="mb-4 text-sm text-muted">
        Every action of an operator, on this page or with a command. Entries are kept for a year.
      </p>
      <Rows list={list} label="Log" empty="No operator has done anything yet.">
        {(entry) => (
          <li key={entry.id} className="border-b border-rule py-3 wrap-anywhere">
            <p>
              <span className="font-semibold">{wordsOf(entry.action)}</span>
              {": "}
              <bdi>{entry.target}</bdi>
            </p>
            <p className="text-sm text-muted">
              <LocalTime time={entry.created_at} />
              {`, ${entry.operator}${entry.operator_id === null ? " (command)" : ""}`}
              <Details entry={entry} />
            </p>
          </li>
        )}
      </Rows>
    </Panel>
  );
}

/** Turns an action's name into words, for example "member.suspended" into "Member suspended". */
function wordsOf(action: string): string {
  const words = action.replace(/[._]/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const TIME = /^\d{4}-\d\d-\d\dT/;

function Details({ entry: { details } }: { entry: LoggedAction }) {
  const { type: _type, id: _id, ...rest } = details;
  return Object.entries(rest).map(([name, value]) => (
    <span key={name} className="block">
      {`${name.replace(/_/g, " ")}: `}
      {TIME.test(`${value}`) ? <LocalTime time={`${value}`} /> : `${value}`}
    </span>
  ));
}
