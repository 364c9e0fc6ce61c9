import { useState } from "react";
import type { LoggedAction } from "../../common/data/operators.ts";
import { useOperation } from "../operation/use-operation.ts";
import { announce } from "../ui/announce.tsx";
import { Button } from "../ui/button.tsx";
import { capitalized } from "../ui/capitalized.ts";
import { LocalTime } from "../ui/local-date.tsx";
import { Panel } from "../ui/panel.tsx";
import { saveFile } from "../ui/save-file.ts";
import { Unread } from "../ui/unread.tsx";
import { errorMessage, readAdminFile } from "./admin-api.ts";
import { Rows, RowsSearch, useRowsSearch } from "./rows.tsx";
import { useRows } from "./use-rows.ts";

const SEARCH = "log";
const FILE_NAME = "techfolio-log.csv";

/** `actionCount` changes after every action, so that the log shows it. */
export function LogRegion({ actionCount }: { actionCount: number }) {
  const search = useRowsSearch(SEARCH);
  const list = useRows<LoggedAction>("/log", {
    parameters: { q: search },
    cursorOf: ({ created_at, id }) => ({ created_at, id }),
    reloadKey: actionCount,
  });
  return (
    <Panel title="Log" anchor="log">
      {list.isUnread && <Unread />}
      <p className="mb-4 text-sm text-muted">
        Every action of an operator, on this page or with a command. Entries are kept for a year.
      </p>
      <RowsSearch
        name={SEARCH}
        label="Search log"
        placeholder="Search by operator, action, member or title..."
      />
      <DownloadLog search={search} />
      <Rows
        list={list}
        label="Log"
        empty={search ? "No action matches the search." : "No operator has done anything yet."}
      >
        {(entry) => (
          <li key={entry.id} className="border-b border-rule py-2 wrap-anywhere">
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

/** Downloads the whole log, or the entries that the search finds. */
function DownloadLog({ search }: { search: string }) {
  const { isPending, run } = useOperation();
  const [problem, setProblem] = useState("");

  async function download() {
    setProblem("");
    const result = await run(async () =>
      saveFile(await readAdminFile(`/log.csv?${logQuery(search)}`), FILE_NAME),
    );
    if (result.is === "done") announce("The log has been downloaded.");
    if (result.is !== "failed") return;
    setProblem(errorMessage(result.error));
    announce(errorMessage(result.error));
  }

  return (
    <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
      <Button
        aria-disabled={isPending}
        onClick={() => {
          if (!isPending) void download();
        }}
      >
        Download CSV
      </Button>
      {problem && <p className="font-medium text-danger">{problem}</p>}
    </div>
  );
}

const logQuery = (search: string) => new URLSearchParams({ q: search });

/** Turns an action's name into words, for example "member.suspended" into "Member suspended". */
const wordsOf = (action: string) => capitalized(action.replace(/[._]/g, " "));

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
