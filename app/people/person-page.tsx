import { Link } from "react-router";
import { itemPath, listByPath } from "../../common/data/addresses.ts";
import { authorName } from "../../common/data/author.ts";
import type { Entry } from "../../common/data/content-reads.ts";
import { KINDS } from "../../common/kinds/index.ts";
import type { KindDefinition } from "../../common/kinds/kind-definition.ts";
import { Panel } from "../ui/panel.tsx";
import { EntryNote } from "./entry-note.tsx";
import type { PersonData } from "./load-person.server.ts";
import { PersonHeader } from "./person-header.tsx";
import { PrintedAddress } from "./printed-address.tsx";

interface ItemsProps {
  kind: KindDefinition;
  entries?: Entry[] | undefined;
  person: PersonData["person"];
}

function Items({ kind, entries = [], person }: ItemsProps) {
  const { name, texts } = kind;
  return (
    <Panel title={name} empty={entries.length === 0 && texts.noItems}>
      <ul>
        {entries.map((entry) => (
          <li
            key={entry.id}
            className="flex flex-wrap items-center gap-x-10 gap-y-1 border-b border-rule py-2.5 lg:grid lg:grid-cols-margin"
          >
            <Link to={itemPath(kind, entry.id)} dir="auto" className="min-w-0 lg:col-start-2">
              <span className="marked font-semibold">{entry.title}</span>
              <PrintedAddress path={itemPath(kind, entry.id)} />
            </Link>
            <span className="flex max-w-full text-sm text-muted lg:col-start-1 lg:row-start-1">
              <EntryNote kind={kind} entry={entry} />
            </span>
          </li>
        ))}
      </ul>
      <p className="mt-3 print:hidden">
        <Link
          to={listByPath(kind, person.slug)}
          className="inline-flex min-h-11 items-center text-ink underline underline-offset-4"
        >
          <span>
            All {name.toLowerCase()} by <bdi>{authorName(person)}</bdi>
          </span>
        </Link>
      </p>
    </Panel>
  );
}

export function PersonPage({ data }: { data: PersonData }) {
  const { person, entries } = data;
  return (
    <div className="resume space-y-16">
      <PersonHeader data={data} />
      {KINDS.map((kind) => (
        <Items key={kind.table} kind={kind} entries={entries[kind.table]} person={person} />
      ))}
    </div>
  );
}
