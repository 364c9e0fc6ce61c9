import { Link } from "react-router";
import { itemPath, LISTS } from "../data/addresses.ts";
import type { ContentTable, Entry } from "../data/content-reads.ts";
import { Panel } from "../ui/panel.tsx";
import { EntryNote } from "./entry-note.tsx";
import type { PersonData } from "./load-person.ts";
import { PersonHeader } from "./person-header.tsx";

interface ItemsProps {
  table: ContentTable;
  entries: Entry[];
  empty: string;
  /** What finds their items in the lists; empty without a name. */
  author: string;
}

function Items({ table, entries, empty, author }: ItemsProps) {
  const { path, name } = LISTS[table];
  return (
    <Panel title={name} empty={entries.length === 0 && empty}>
      <ul>
        {entries.map((entry) => (
          <li
            key={entry.id}
            className="flex flex-wrap items-center gap-x-10 gap-y-1 border-b border-rule py-2.5 lg:grid lg:grid-cols-margin"
          >
            <Link to={itemPath(table, entry.id)} dir="auto" className="min-w-0 lg:col-start-2">
              <span className="marked font-semibold">{entry.title}</span>
            </Link>
            <span className="flex max-w-full text-sm text-muted lg:col-start-1 lg:row-start-1">
              <EntryNote entry={entry} />
            </span>
          </li>
        ))}
      </ul>
      {author && (
        <p className="mt-3">
          <Link
            to={`${path}?author=${encodeURIComponent(author)}`}
            className="inline-flex min-h-11 items-center text-ink underline underline-offset-4"
          >
            <span>
              All {name.toLowerCase()} by <bdi>{author}</bdi>
            </span>
          </Link>
        </p>
      )}
    </Panel>
  );
}

export function PersonPage({ data }: { data: PersonData }) {
  const { person, articles, links, samples } = data;
  const author = person.full_name || person.username || "";
  return (
    <div className="space-y-16">
      <PersonHeader data={data} />
      <Items table="articles" empty="No articles published yet." author={author} entries={articles} />
      <Items table="useful_links" empty="No useful links yet." author={author} entries={links} />
      <Items table="code_samples" empty="No code samples yet." author={author} entries={samples} />
    </div>
  );
}
