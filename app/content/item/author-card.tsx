import { Link } from "react-router";
import { itemPath, personPath } from "../../../common/data/addresses.ts";
import { authorName } from "../../../common/data/author.ts";
import { experience, position } from "../../../common/data/experience.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { PersonLink } from "../../ui/person-link.tsx";
import type { ItemAuthor } from "./load-item.server.ts";

interface AuthorCardProps {
  kind: { path: string };
  author: ItemAuthor;
  more: { id: string; title: string }[];
}

export function AuthorCard({ kind, author, more }: AuthorCardProps) {
  const name = authorName(author);
  return (
    <aside aria-label="Author" className="grid gap-x-10 border-t-2 border-ink pt-6 lg:grid-cols-margin">
      <div className="flex items-start gap-4 lg:col-start-2">
        <Avatar name={name} address={author.avatar_url} />
        <div className="min-w-0">
          <p className="font-display text-xl leading-7 font-bold tracking-tight">
            <PersonLink to={personPath(author.slug)} name={name} />
          </p>
          <p dir="auto" className="text-sm text-muted empty:hidden">
            {position(author)}
          </p>
          <p dir="auto" className="text-sm text-ink empty:hidden">
            {experience(author)}
          </p>
        </div>
      </div>
      {more.length > 0 && (
        <div className="mt-6 lg:col-start-2">
          <h2 className="font-display text-2xl font-bold tracking-tight">
            More by <bdi>{name}</bdi>
          </h2>
          <ul className="mt-1">
            {more.map(({ id, title }) => (
              <li key={id}>
                <Link
                  to={itemPath(kind, { id, title })}
                  dir="auto"
                  className="inline-flex min-h-11 items-center marked text-ink underline underline-offset-4"
                >
                  {title}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      )}
    </aside>
  );
}
