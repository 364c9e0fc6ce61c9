import { useMemo, useState } from "react";
import { toValues } from "../../common/data/form-values.ts";
import type { FormValues, KindDefinition } from "../../common/kinds/kind-definition.ts";
import { useRead } from "../operation/use-read.ts";
import { memberData } from "../session/member-data.ts";
import { Button } from "../ui/button.tsx";
import { capitalized } from "../ui/capitalized.ts";
import { Disclosure, focusOpened } from "../ui/disclosure.tsx";
import { Select } from "../ui/field.tsx";
import { LocalTime } from "../ui/local-date.tsx";
import { TryAgain } from "../ui/try-again.tsx";
import { differencesOf, isMostlyChanged, type Part, withoutUnchanged } from "./differences.ts";
import { useChanges } from "./use-changes.ts";
import { type NamedVersion, nameVersions } from "./version-names.ts";
import { readVersionRows, readVersions, type Version } from "./versions.ts";

interface EarlierVersionsProps {
  kind: KindDefinition;
  itemId: string;
  values: FormValues;
  onUse(values: FormValues): void;
}

export default function EarlierVersions({ kind, itemId, values, onUse }: EarlierVersionsProps) {
  const { value: versions, ...reading } = useRead(async () => readVersions(await memberData(), itemId));
  if (!versions) return <NotRead {...reading} />;
  if (versions.length === 0)
    return (
      <p ref={focusOpened} className="outline-none">
        There are no earlier versions yet.
      </p>
    );
  return <VersionList kind={kind} itemId={itemId} versions={versions} values={values} onUse={onUse} />;
}

type VersionListProps = EarlierVersionsProps & { versions: Version[] };

function VersionList({ kind, itemId, versions, values, onUse }: VersionListProps) {
  const changes = useChanges(kind, itemId, versions);
  const named = nameVersions(versions);
  const [openId, setOpenId] = useState<string>();
  return (
    <>
      <p ref={focusOpened} className="pb-2 text-sm text-muted outline-none">
        The time is when a version was replaced. The line below it says what the save at that time changed.
      </p>
      <ol className="border-t border-rule">
        {named.map((version) => (
          <VersionEntry
            key={version.id}
            version={version}
            isOpen={version.id === openId}
            onToggle={() => setOpenId(version.id === openId ? undefined : version.id)}
            changes={changes.get(version.id) ?? ""}
            others={named.filter(({ id }) => id !== version.id)}
            kind={kind}
            values={values}
            onUse={onUse}
          />
        ))}
      </ol>
    </>
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

interface VersionProps {
  version: NamedVersion;
  /** All other versions of the item. */
  others: NamedVersion[];
  kind: KindDefinition;
  values: FormValues;
  onUse(values: FormValues): void;
}

interface VersionEntryProps extends VersionProps {
  changes: string;
  isOpen: boolean;
  onToggle(): void;
}

function VersionEntry({ changes, isOpen, onToggle, ...props }: VersionEntryProps) {
  const { replaced_at, hasSeconds } = props.version;
  return (
    <li className="border-b border-rule">
      <Disclosure
        isOpen={isOpen}
        onToggle={onToggle}
        className="block min-h-11 w-full py-2.5 text-start"
        label={
          <>
            <span className="underline decoration-2 underline-offset-4">
              {"Until "}
              <LocalTime time={replaced_at} hasSeconds={hasSeconds} />
            </span>
            {/* The minimum height keeps the list from moving when the text arrives. */}
            <span dir="auto" className="block min-h-5 text-sm wrap-anywhere text-muted">
              {changes}
            </span>
          </>
        }
      >
        <VersionDifferences {...props} />
      </Disclosure>
    </li>
  );
}

/** In the selector, the empty value is the form. */
const FORM = "";

function VersionDifferences({ version, others, kind, values, onUse }: VersionProps) {
  const [otherId, setOtherId] = useState(FORM);
  const { value: read, ...reading } = useRead(async () => {
    const ids = otherId === FORM ? [version.id] : [version.id, otherId];
    const rows = await readVersionRows(await memberData(), ids);
    if (rows.size < ids.length) throw new Error("The version is no longer kept");
    const valuesOf = (id: string) => toValues(kind, rows.get(id) ?? {});
    return {
      own: valuesOf(version.id),
      other: otherId === FORM ? null : { id: otherId, values: valuesOf(otherId) },
    };
  }, otherId);
  if (!read)
    return (
      <div className="pb-4">
        <NotRead {...reading} />
      </div>
    );
  const other = others.find(({ id }) => id === read.other?.id);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form
    <div
      ref={focusOpened}
      role="group"
      aria-label={capitalized(version.name)}
      className="space-y-4 pb-5 outline-none"
    >
      {others.length > 0 && (
        <div className="max-w-80">
          <Select
            label="Compare with"
            options={Object.fromEntries([
              [FORM, "The form"],
              ...others.map(({ id, name }) => [id, capitalized(name)]),
            ])}
            value={otherId}
            onChange={({ currentTarget }) => setOtherId(currentTarget.value)}
          />
        </div>
      )}
      {reading.hasFailed ? (
        <NotRead {...reading} />
      ) : (
        <Comparison
          kind={kind}
          version={{ name: "this version", values: read.own }}
          other={
            read.other && other
              ? { name: other.name, values: read.other.values }
              : { name: "the form", values }
          }
          // The form continues the newest version.
          isOlder={!other || version.replaced_at < other.replaced_at}
        />
      )}
      {isSame(kind, read.own, values) || <Button onClick={() => onUse(read.own)}>Use This Version</Button>}
    </div>
  );
}

interface Compared {
  name: string;
  values: FormValues;
}

interface ComparisonProps {
  kind: KindDefinition;
  version: Compared;
  other: Compared;
  /** Whether the version is the older one of the two. */
  isOlder: boolean;
}

function Comparison({ kind, version, other, isOlder }: ComparisonProps) {
  const changed = changedColumns(kind, version.values, other.values);
  if (changed.length === 0) return <p>{`This version is the same as ${other.name}.`}</p>;
  return (
    <div className="group space-y-4">
      {/* Texts that follow each other have no marks. */}
      <p className="hidden text-sm text-muted group-has-[.differences_.difference]:block">
        What this version adds to {other.name} is <ins className="difference">underlined</ins>, and what it
        removes is <del className="difference">struck out</del>.
        {changed.some((name) => isCode(kind, name)) &&
          " In code, added lines begin with + and removed lines with -."}
      </p>
      {changed.map((name) => (
        <ColumnDifference
          key={name}
          label={capitalized(kind.columns[name]?.noun ?? name)}
          isCode={isCode(kind, name)}
          version={{ name: version.name, text: displayText(version.values[name]) }}
          other={{ name: other.name, text: displayText(other.values[name]) }}
          isOlder={isOlder}
        />
      ))}
    </div>
  );
}

const changedColumns = (kind: KindDefinition, some: FormValues, others: FormValues) =>
  Object.keys(kind.columns).filter((name) => some[name] !== others[name]);

const isSame = (kind: KindDefinition, some: FormValues, others: FormValues) =>
  changedColumns(kind, some, others).length === 0;

const isCode = (kind: KindDefinition, name: string) => kind.columns[name]?.type === "code";

const displayText = (value: unknown) =>
  typeof value === "boolean" ? (value ? "Yes" : "No") : String(value ?? "");

interface NamedText {
  name: string;
  text: string;
}

interface ColumnDifferenceProps {
  label: string;
  isCode: boolean;
  version: NamedText;
  other: NamedText;
  /** Whether the version is the older one of the two. */
  isOlder: boolean;
}

function ColumnDifference({ label, isCode, version, other, isOlder }: ColumnDifferenceProps) {
  const parts = useMemo(
    () => differencesOf(other.text, version.text, isCode),
    [other.text, version.text, isCode],
  );
  return (
    <section aria-label={label}>
      <p aria-hidden="true" className="font-mono text-sm text-muted">
        {label}
      </p>
      {parts && !isMostlyChanged(parts) ? (
        <Differences parts={withoutUnchanged(parts, isCode)} isCode={isCode} />
      ) : (
        <>
          <p className="text-sm text-muted">More than half has changed, so both texts follow.</p>
          {(isOlder ? [version, other] : [other, version]).map((text) => (
            <WholeText key={text.name} label={capitalized(text.name)} text={text.text} isCode={isCode} />
          ))}
        </>
      )}
    </section>
  );
}

function WholeText({ label, text, isCode }: { label: string; text: string; isCode: boolean }) {
  return (
    <figure className="mt-3">
      <figcaption className="text-sm font-semibold">{label}</figcaption>
      <p
        dir={isCode ? "ltr" : "auto"}
        className={`differences mt-1 max-h-96 overflow-y-auto border-s-2 border-rule ps-3 wrap-anywhere ${isCode ? "code-differences" : ""}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard
        tabIndex={0}
      >
        {text}
      </p>
    </figure>
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
