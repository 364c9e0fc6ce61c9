import type { ReactNode } from "react";
import type { SiteState } from "../../common/data/operators.ts";
import { useRead } from "../operation/use-read.ts";
import { Button } from "../ui/button.tsx";
import { LocalTime } from "../ui/local-date.tsx";
import { Panel } from "../ui/panel.tsx";
import { callAdmin, errorMessage } from "./admin-api.ts";
import { formatBytes } from "./format-bytes.ts";
import { useNeeds } from "./needs.tsx";

export function StateRegion() {
  const { value: state, error, hasFailed, isUnread, reload } = useRead(() => callAdmin<SiteState>("/state"));
  const problems = state?.findings.filter(({ isProblem }) => isProblem) ?? [];
  const needs = problems.map(({ text }) => text);
  useNeeds("state", isUnread ? null : needs);
  return (
    <Panel title="State" anchor="state">
      {hasFailed && <p role="alert">{errorMessage(error)}</p>}
      {state && !hasFailed && <Facts state={state} />}
      {!isUnread && (
        <Button className="mt-4" onClick={() => void reload()}>
          Check Again
        </Button>
      )}
    </Panel>
  );
}

function Facts({ state }: { state: SiteState }) {
  const { version, database, lastBackup, freeDiskBytes, findings } = state;
  return (
    <dl className="divide-y divide-rule">
      <Fact name="Version">{version}</Fact>
      <Fact name="Members">{database.members}</Fact>
      <Fact name="Database">{`PostgreSQL ${database.version}, ${formatBytes(database.bytes)}`}</Fact>
      {lastBackup !== null && (
        <Fact name="Last backup">
          <LocalTime time={lastBackup} />
        </Fact>
      )}
      {freeDiskBytes !== null && <Fact name="Free disk space">{formatBytes(freeDiskBytes)}</Fact>}
      {findings.map(({ topic, isProblem, text }) => (
        <Fact key={topic} name={`Check: ${topic}`}>
          <span className={isProblem ? "font-medium text-danger" : ""}>
            {isProblem ? `Problem: ${text}` : text}
          </span>
        </Fact>
      ))}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="py-2 sm:flex sm:gap-x-6">
      <dt className="w-40 shrink-0 text-muted">{name}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </div>
  );
}
