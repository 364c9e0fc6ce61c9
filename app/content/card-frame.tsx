import type { ReactNode } from "react";
import { Link } from "react-router";
import { itemPath, personPath } from "../data/addresses.ts";
import { authorName } from "../data/author.ts";
import type { Authored, ContentRow, Writer } from "../data/schema.ts";
import { LinkIcon } from "../ui/icons.tsx";
import { PersonLink } from "../ui/person-link.tsx";
import { filePath, type KindDefinition } from "./kinds/kind-definition.ts";

interface CardFrameProps {
  kind: KindDefinition;
  item: Authored<ContentRow, Writer>;
  isTitleLinked?: boolean;
  /** Whether this is the item's own page. */
  isPage?: boolean | undefined;
  beside?: ReactNode;
  actions: ReactNode;
  by?: string;
  note?: ReactNode;
  /** If given, the card is a compact row. */
  about?: ReactNode;
  children: ReactNode;
}

export function CardFrame({
  kind,
  item,
  isTitleLinked,
  isPage,
  beside,
  actions,
  by = "Shared by",
  note,
  about,
  children,
}: CardFrameProps) {
  const { id, title, profiles: author } = item;
  const isDense = about !== undefined;
  const path = itemPath(kind, id);
  const raw = filePath(kind, item);
  const Heading = isPage ? "h1" : "h2";
  const size = isPage ? "text-item-title" : isTitleLinked ? "text-2xl sm:text-4xl" : "text-xl";
  const byline = (
    <p className="entry-by">
      {`${by} `}
      <PersonLink to={personPath(author.segment)} name={authorName(author)} />
      {note}
    </p>
  );
  const text = <div className="entry-text">{children}</div>;
  const tools = (
    <div className="entry-tools">
      {actions}
      <Link
        to={path}
        aria-label={`Permalink to ${title}`}
        title={`Permalink to ${title}`}
        className="entry-link inline-grid size-11 place-items-center text-muted hover:bg-marker hover:text-on-marker"
      >
        <LinkIcon />
      </Link>
      {/* `useCopyButtons` copies the preceding link. */}
      <button
        type="button"
        className="copy-link"
        aria-label={`Copy link to ${title}`}
        title={`Copy link to ${title}`}
      />
      {raw && (
        <a
          href={raw}
          title={`${title} as a file`}
          className="entry-raw inline-grid h-11 min-w-11 place-items-center font-mono text-sm text-muted hover:bg-marker hover:text-on-marker"
        >
          Raw
        </a>
      )}
    </div>
  );
  // In the visual order of narrow screens, so that nothing shifts while a list loads.
  return (
    <article id={id} className={`${isDense ? "entry-row" : "entry"} ${isPage ? "" : "entry-listed"}`}>
      <div className="entry-head">
        <Heading dir="auto" className={`font-display ${size} min-w-0 font-bold tracking-tight text-balance`}>
          {isTitleLinked ? (
            <Link to={path} className="entry-title marked">
              {title}
            </Link>
          ) : (
            <span className="entry-title">{title}</span>
          )}
        </Heading>
        {beside}
      </div>
      {isDense && text}
      {isDense && <p className="entry-about">{about}</p>}
      {byline}
      {tools}
      {!isDense && text}
    </article>
  );
}
