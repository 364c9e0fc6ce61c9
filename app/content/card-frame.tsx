import type { ReactNode } from "react";
import { CopyLink } from "../ui/copy-link.tsx";
import { LinkIcon } from "../ui/icons.tsx";

export function CardFrame({
  id,
  title,
  path,
  isTitleLinked = false,
  isDense = false,
  isPage = false,
  beside,
  actions,
  byline,
  about,
  children,
}: {
  id: string;
  title: string;
  path: string;
  isTitleLinked?: boolean;
  isDense?: boolean;
  /** Whether the card is all that its page is about. */
  isPage?: boolean | undefined;
  beside?: ReactNode;
  actions: ReactNode;
  byline: ReactNode;
  about?: ReactNode;
  children: ReactNode;
}) {
  const Heading = isPage ? "h1" : "h2";
  const size = isPage ? "text-4xl" : isTitleLinked ? "text-2xl sm:text-4xl" : "text-xl";
  const by = <p className="entry-by">{byline}</p>;
  const text = <div className="entry-text">{children}</div>;
  const tools = (
    <div className="entry-tools">
      {actions}
      <a
        href={path}
        aria-label={`Permalink to ${title}`}
        title={`Permalink to ${title}`}
        className="entry-link inline-grid size-11 place-items-center text-muted hover:bg-marker hover:text-on-marker"
      >
        <LinkIcon />
      </a>
      <CopyLink title={title} />
    </div>
  );
  // In the order in which narrow screens have them, so that nothing moves while a list arrives.
  return (
    <article
      id={id}
      className={`${isDense ? "entry-row" : "entry"} ${isPage ? "" : isDense ? "border-t border-rule" : "border-t-2 border-ink pt-5 pb-12"}`}
    >
      <div className="entry-head">
        <Heading dir="auto" className={`font-display ${size} min-w-0 font-bold tracking-tight text-balance`}>
          {isTitleLinked ? (
            <a href={path} className="entry-title marked">
              {title}
            </a>
          ) : (
            <span className="entry-title">{title}</span>
          )}
        </Heading>
        {beside}
      </div>
      {isDense ? (
        <>
          {text}
          <p className="entry-about">{about}</p>
          {by}
          {tools}
        </>
      ) : (
        <>
          {by}
          {tools}
          {text}
        </>
      )}
    </article>
  );
}
