import { Link } from "react-router";
import { itemPath, listByPath } from "../../common/data/addresses.ts";
import { authorName } from "../../common/data/author.ts";
import type { ItemTitle } from "../../common/data/content-reads.ts";
import { KINDS } from "../../common/kinds/index.ts";
import type { KindDefinition } from "../../common/kinds/kind-definition.ts";
import { Panel } from "../ui/panel.tsx";
import { TextLink } from "../ui/text-link.tsx";
import type { PersonData } from "./load-person.server.ts";
import { PersonHeader } from "./person-header.tsx";
import { PrintedAddress } from "./printed-address.tsx";
import { TitleNote } from "./title-note.tsx";

interface ItemsProps {
  kind: KindDefinition;
  titles?: ItemTitle[] | undefined;
  person: PersonData["person"];
}

function Items({ kind, titles = [], person }: ItemsProps) {
  const { name, texts } = kind;
  return (
    <Panel title={name} empty={titles.length === 0 && texts.noItems}>
      <ul>
        {titles.map((item) => (
          <li
            key={item.id}
            className="flex flex-wrap items-center gap-x-10 gap-y-1 border-b border-rule py-2.5 lg:grid lg:grid-cols-margin"
          >
            <Link to={itemPath(kind, item)} dir="auto" className="min-w-0 lg:col-start-2">
              <span className="marked font-semibold">{item.title}</span>
              <PrintedAddress path={itemPath(kind, item)} address={item.address} />
            </Link>
            <span className="flex max-w-full text-sm text-muted lg:col-start-1 lg:row-start-1">
              <TitleNote kind={kind} item={item} />
            </span>
          </li>
        ))}
      </ul>
      <p className="mt-3 print:hidden">
        <TextLink to={listByPath(kind, person.slug)}>
          <span>
            All {name.toLowerCase()} by <bdi>{authorName(person)}</bdi>
          </span>
        </TextLink>
      </p>
    </Panel>
  );
}

export function PersonPage({ data }: { data: PersonData }) {
  const { person, titles } = data;
  return (
    <div className="resume space-y-16">
      <PersonHeader data={data} />
      {KINDS.map((kind) => (
        <Items key={kind.table} kind={kind} titles={titles[kind.table]} person={person} />
      ))}
    </div>
  );
}
