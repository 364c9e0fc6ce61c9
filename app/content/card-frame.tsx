import type { ReactNode } from "react";
import { Link } from "react-router";
import { itemPath, personPath } from "../../common/data/addresses.ts";
import { authorName } from "../../common/data/author.ts";
import type { Authored, ContentRow, LinkedAuthor } from "../../common/data/schema.ts";
import { filePath, type KindDefinition } from "../../common/kinds/kind-definition.ts";
import { useIsOperator } from "../session/session.ts";
import { LinkIcon, ModerateIcon, RawIcon } from "../ui/icons.tsx";
import { PersonLink } from "../ui/person-link.tsx";

interface CardFrameProps {
  kind: KindDefinition;
  item: Authored<ContentRow, LinkedAuthor>;
  /** The title's link. Defaults to the item's page; an empty string means no link. */
  titleHref?: string | undefined;
  isLarge?: boolean;
  /** Whether the card is on the item's own page and not in a list. */
  isPage?: boolean | undefined;
  titleAction?: ReactNode;
  actions: ReactNode;
  bylinePrefix?: string;
  bylineNote?: ReactNode;
  /** Details for a compact row. If they are undefined, the card has its full layout. */
  details?: ReactNode;
  children: ReactNode;
}

export function CardFrame({
  kind,
  item,
  titleHref,
  isLarge,
  isPage,
  titleAction,
  actions,
  bylinePrefix = "Shared by",
  bylineNote,
  details,
  children,
}: CardFrameProps) {
  const { id, title, profiles: author } = item;
  const isOperator = useIsOperator();
  const isDense = details !== undefined;
  const path = itemPath(kind, item);
  const fileHref = filePath(kind, item);
  const Heading = isPage ? "h1" : "h2";
  const size = isPage ? "text-title" : isLarge ? "text-2xl sm:text-4xl" : "text-xl";
  const byline = (
    <p className="card-by">
      {`${bylinePrefix} `}
      <PersonLink to={personPath(author.slug)} name={authorName(author)} />
      {bylineNote}
    </p>
  );
  const text = <div className="card-text">{children}</div>;
  const tools = (
    <div className="card-tools">
      {/* `useCopyButtons` copies the URL of the link that follows the button. */}
      <button
        type="button"
        className="tool copy-link"
        aria-label={`Copy link to ${title}`}
        title={`Copy link to ${title}`}
      >
        <span className="tool-word">Copy link</span>
      </button>
      <Link to={path} aria-label={`Permalink to ${title}`} title={`Permalink to ${title}`} className="tool">
        <LinkIcon />
        <span className="tool-word">Permalink</span>
      </Link>
      {fileHref && (
        <a href={fileHref} title={`${title} as a file`} className="tool">
          <RawIcon />
          <span className="tool-word">Raw</span>
        </a>
      )}
      {actions}
      {isOperator && (
        <Link
          to={`/admin?content=${id}#content`}
          aria-label={`Moderate ${title}`}
          title={`Moderate ${title}`}
          className="tool"
        >
          <ModerateIcon />
          <span className="tool-word">Moderate</span>
        </Link>
      )}
    </div>
  );
  // The elements are in the visual order of narrow screens, so that nothing shifts while the document is arriving.
  return (
    <article id={id} className={`${isDense ? "card-row" : "card"} ${isPage ? "" : "card-listed"}`}>
      {/* The title's direction also decides on which side of the title `titleAction` is. */}
      <div dir="auto" className="card-head">
        <Heading className={`font-display ${size} min-w-0 font-bold tracking-tight text-balance`}>
          {titleHref === undefined && isPage ? (
            <span className="card-title">{title}</span>
          ) : titleHref === undefined ? (
            <Link to={path} className="card-title marked">
              {title}
            </Link>
          ) : titleHref ? (
            <a
              href={titleHref}
              target="_blank"
              rel="noopener noreferrer nofollow ugc"
              className="card-title marked"
            >
              {title}
            </a>
          ) : (
            <span className="card-title">{title}</span>
          )}
        </Heading>
        {titleAction}
      </div>
      {isDense && text}
      {isDense && <p className="card-about">{details}</p>}
      <div className="card-side">
        {byline}
        {tools}
      </div>
      {!isDense && text}
    </article>
  );
}
