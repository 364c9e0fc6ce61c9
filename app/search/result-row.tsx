import { memo, type ReactNode } from "react";
import { Link } from "react-router";
import { itemPath, personPath } from "../../common/data/addresses.ts";
import { authorName } from "../../common/data/author.ts";
import { position } from "../../common/data/experience.ts";
import type { SearchResult } from "../../common/data/search-reads.ts";
import { kindOfTable } from "../../common/kinds/index.ts";
import { SkillChips } from "../people/skill-chips.tsx";
import { Avatar } from "../ui/avatar.tsx";
import { LocalDate } from "../ui/local-date.tsx";
import { PersonLink } from "../ui/person-link.tsx";

const TITLE = "font-display text-xl font-bold tracking-tight text-balance";

/** Memoised, so that adding a page to the list does not render the existing rows again. */
export const ResultRow = memo(function ResultRow({ result }: { result: SearchResult }) {
  return result.person ? (
    <PersonResult result={result} person={result.person} />
  ) : (
    <ItemResult result={result} />
  );
});

interface RowProps {
  result: SearchResult;
}

function ItemResult({ result }: RowProps) {
  const { kind: table, id, title, title_parts, created_at, author, excerpt } = result;
  const kind = kindOfTable(table);
  return (
    <Row id={id} kind={kind.itemName} time={created_at}>
      <h2 dir="auto" className={TITLE}>
        <Link to={itemPath(kind, { id, title })} className="card-title marked">
          <Marked parts={title_parts} />
        </Link>
      </h2>
      {author && (
        <p className="mt-1 text-sm">
          By <PersonLink to={personPath(author.slug)} name={authorName(author)} />
        </p>
      )}
      <Excerpt parts={excerpt} />
    </Row>
  );
}

type FoundPerson = NonNullable<SearchResult["person"]>;

function PersonResult({
  result: { id, title: name, title_parts, excerpt },
  person,
}: RowProps & { person: FoundPerson }) {
  return (
    <Row id={id} kind="Professional">
      <div className="flex items-start gap-4">
        <Avatar name={name} address={person.avatar_url} />
        <div className="min-w-0">
          <h2 className={TITLE}>
            <PersonLink to={personPath(person.slug)} name={<Marked parts={title_parts} />} />
          </h2>
          <p dir="auto" className="text-muted empty:hidden">
            {position(person)}
          </p>
        </div>
      </div>
      <Excerpt parts={excerpt} />
      {person.skills.length > 0 && (
        <div className="mt-3 max-sm:[&_.level]:hidden">
          <SkillChips label={`Skills of ${name}`} skills={person.skills} />
        </div>
      )}
    </Row>
  );
}

interface FrameProps {
  id: string;
  kind: string;
  /** When the item was created. A person has no date. */
  time?: string;
  children: ReactNode;
}

function Row({ id, kind, time, children }: FrameProps) {
  return (
    <article id={id} className="grid gap-x-10 gap-y-1 border-t border-rule py-5 lg:grid-cols-margin">
      <p className="flex flex-wrap gap-x-3 font-mono text-sm leading-7 text-muted lg:flex-col">
        <span>{kind}</span>
        {time && <LocalDate time={time} />}
      </p>
      <div className="min-w-0">{children}</div>
    </article>
  );
}

function Excerpt({ parts }: { parts: string[] }) {
  return (
    <p dir="auto" className="mt-2 max-w-measure text-muted empty:hidden">
      <Marked parts={parts} />
    </p>
  );
}

/** Shows the parts of a text. Every second part is a hit, and is marked. */
function Marked({ parts }: { parts: string[] }) {
  return parts.map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change their order
      <mark key={index}>{part}</mark>
    ) : (
      part
    ),
  );
}
