import type { ReactNode } from "react";
import { itemPath, LIST_PATHS } from "../data/addresses.ts";
import type { ContentTable } from "../data/content-reads.ts";
import { LANGUAGES } from "../data/vocabulary.ts";
import { Chip } from "../ui/chip.tsx";
import { LocalDate } from "../ui/local-date.tsx";
import { Empty, Panel } from "../ui/panel.tsx";
import type { PersonData } from "./load-person.ts";
import { PersonHeader } from "./person-header.tsx";

interface Entry {
  id: string;
  title: string;
  note: ReactNode;
}

function Items({
  table,
  title,
  entries,
  empty,
  author,
}: {
  table: ContentTable;
  title: string;
  entries: Entry[];
  empty: string;
  author: string;
}) {
  return (
    <Panel title={title}>
      {entries.length === 0 ? (
        <Empty>{empty}</Empty>
      ) : (
        <>
          <ul>
            {entries.map(({ id, title: name, note }) => (
              <li
                key={id}
                className="flex flex-wrap items-center gap-x-10 gap-y-1 border-b border-rule py-2.5 lg:grid lg:grid-cols-margin"
              >
                <a href={itemPath(table, id)} dir="auto" className="min-w-0 lg:col-start-2">
                  <span className="marked font-semibold">{name}</span>
                </a>
                <span className="flex max-w-full text-sm text-muted lg:col-start-1 lg:row-start-1">
                  {note}
                </span>
              </li>
            ))}
          </ul>
          {author && (
            <p className="mt-3">
              <a
                href={`${LIST_PATHS[table]}?author=${encodeURIComponent(author)}`}
                className="inline-flex min-h-11 items-center text-ink underline underline-offset-4"
              >
                <span>
                  All {title.toLowerCase()} by <bdi>{author}</bdi>
                </span>
              </a>
            </p>
          )}
        </>
      )}
    </Panel>
  );
}

export function PersonPage({ data }: { data: PersonData }) {
  const { person, articles, links, samples } = data;
  // What finds their items in the lists; empty without a name.
  const author = person.full_name || person.username || "";
  return (
    <div className="space-y-16">
      <PersonHeader data={data} />
      <Items
        table="articles"
        title="Articles"
        empty="No articles published yet."
        author={author}
        entries={articles.map(({ id, title, created_at }) => ({
          id,
          title,
          note: <LocalDate time={created_at} />,
        }))}
      />
      <Items
        table="useful_links"
        title="Useful Links"
        empty="No useful links yet."
        author={author}
        entries={links.map(({ id, title, category }) => ({ id, title, note: <Chip>{category}</Chip> }))}
      />
      <Items
        table="code_samples"
        title="Sample Code"
        empty="No code samples yet."
        author={author}
        entries={samples.map(({ id, title, language }) => ({
          id,
          title,
          note: <Chip>{LANGUAGES[language] ?? language}</Chip>,
        }))}
      />
    </div>
  );
}
