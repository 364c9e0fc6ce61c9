import { useMemo, useState } from "react";
import { toValues } from "../../common/data/form-values.ts";
import type { FormValues, KindDefinition } from "../../common/kinds/kind-definition.ts";
import { useRead } from "../operation/use-read.ts";
import { memberData } from "../session/member-data.ts";
import { Button } from "../ui/button.tsx";
import { LocalTime } from "../ui/local-date.tsx";
import { TryAgain } from "../ui/try-again.tsx";
import { differencesOf, type Part, withoutUnchanged } from "./differences.ts";
import { readVersionRow, readVersions, type Version } from "./versions.ts";

interface EarlierVersionsProps {
  kind: KindDefinition;
  itemId: string;
  values: FormValues;
  onUse(values: FormValues): void;
}

export default function EarlierVersions({ kind, itemId, values, onUse }: EarlierVersionsProps) {
  const { value: versions, ...reading } = useRead(async () => readVersions(await memberData(), itemId));
  if (!versions) return <NotRead {...reading} />;
  if (versions.length === 0) return <p>There are no earlier versions yet.</p>;
  return (
    <ol className="border-t border-rule">
      {versions.map((version) => (
        <VersionEntry key={version.id} version={version} kind={kind} values={values} onUse={onUse} />
      ))}
    </ol>
  );
}

interface NotReadProps {
  hasFailed: boolean;
  isReading: boolean;
  retry(): Promise<void>;
}

function NotRead({ hasFailed, isReading, retry }: NotReadProps) {
  if (!hasFailed) return <p>Loading…</p>;
  return (
    <TryAgain text="The versions could not be read." isReading={isReading} onRetry={() => void retry()} />
  );
}

type VersionProps = Omit<EarlierVersionsProps, "itemId"> & { version: Version };

function VersionEntry({ version, ...rest }: VersionProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <li className="border-b border-rule">
      <details name="earlier-version" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
        <summary className="min-h-11 cursor-pointer py-2.5">
          {"Until "}
          <LocalTime time={version.replaced_at} />
        </summary>
        {isOpen && <VersionDifferences version={version} {...rest} />}
      </details>
    </li>
  );
}

function VersionDifferences({ version, kind, values, onUse }: VersionProps) {
  const { value: row, ...reading } = useRead(async () => {
    const stored = await readVersionRow(await memberData(), version.id);
    if (!stored) throw new Error("The version is no longer kept");
    return stored;
  });
  if (!row)
    return (
      <div className="pb-4">
        <NotRead {...reading} />
      </div>
    );
  const versionValues = toValues(kind, row);
  const changed = Object.keys(kind.columns).filter((name) => values[name] !== versionValues[name]);
  return (
    <div className="space-y-4 pb-5">
      {changed.length === 0 ? (
        <p>This version is the same as the form.</p>
      ) : (
        <>
          <p className="text-sm text-muted">
            What this version adds to the form is <ins className="difference">underlined</ins>, and what it
            removes is <del className="difference">struck out</del>.
            {changed.some((name) => isCode(kind, name)) &&
              " In code, added lines begin with + and removed lines with -."}
          </p>
          {changed.map((name) => (
            <ColumnDifference
              key={name}
              label={capitalized(kind.columns[name]?.noun ?? name)}
              isCode={isCode(kind, name)}
              current={displayText(values[name])}
              version={displayText(versionValues[name])}
            />
          ))}
          <Button onClick={() => onUse(versionValues)}>Use This Version</Button>
        </>
      )}
    </div>
  );
}

const isCode = (kind: KindDefinition, name: string) => kind.columns[name]?.type === "code";

const displayText = (value: unknown) =>
  typeof value === "boolean" ? (value ? "Yes" : "No") : String(value ?? "");

const capitalized = (noun: string) => noun.charAt(0).toUpperCase() + noun.slice(1);

interface ColumnDifferenceProps {
  label: string;
  isCode: boolean;
  current: string;
  version: string;
}

function ColumnDifference({ label, isCode, current, version }: ColumnDifferenceProps) {
  const parts = useMemo(() => differencesOf(current, version, isCode), [current, version, isCode]);
  return (
    <section aria-label={label}>
      <p aria-hidden="true" className="font-mono text-sm text-muted">
        {label}
      </p>
      {parts ? (
        <Differences parts={withoutUnchanged(parts, isCode)} isCode={isCode} />
      ) : (
        <>
          <p className="text-sm text-muted">This version is too different to mark each change. Its text:</p>
          <p dir={isCode ? "ltr" : "auto"} className={`differences ${isCode ? "code-differences" : ""}`}>
            {version}
          </p>
        </>
      )}
    </section>
  );
}

const ELEMENTS = { same: "span", added: "ins", removed: "del" } as const;
const WORDS = { same: "", added: "added: ", removed: "removed: " };
const SIGNS = { same: "  ", added: "+ ", removed: "- " };

function Differences({ parts, isCode }: { parts: Part[]; isCode: boolean }) {
  return (
    <p dir={isCode ? "ltr" : "auto"} className={`differences ${isCode ? "code-differences" : ""}`}>
      {parts.map(({ change, units }, index) => {
        const Element = ELEMENTS[change];
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other identity
          <Element key={index} className={change === "same" ? undefined : "difference"}>
            {WORDS[change] && <span className="sr-only">{WORDS[change]}</span>}
            {isCode ? <Lines lines={units} sign={SIGNS[change]} /> : <span>{units.join("")}</span>}
          </Element>
        );
      })}
    </p>
  );
}

function Lines({ lines, sign }: { lines: string[]; sign: string }) {
  return lines.map((line, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the lines have no other identity
    <span key={index} className="code-line">
      {sign + line}
    </span>
  ));
}
