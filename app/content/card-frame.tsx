import type { ReactNode } from "react";
import { Link } from "react-router";
import { CopyLink } from "../ui/copy-link.tsx";
import { LinkIcon } from "../ui/icons.tsx";

/** What every card has, in a list and on the item's own page. */
export function CardFrame({
  id,
  title,
  path,
  isTitleLinked = false,
  tools = 2,
  isPage = false,
  actions,
  byline,
  children,
}: {
  /** The card's anchor. */
  id: string;
  title: string;
  /** Of the item's own page. */
  path: string;
  /** How many places for buttons are kept beside the title, so that none moves while the page arrives. */
  tools?: 2 | 3;
  isTitleLinked?: boolean;
  /** Whether the card is all that its page is about. */
  isPage?: boolean | undefined;
  /** Beside the title. */
  actions: ReactNode;
  byline?: ReactNode;
  children: ReactNode;
}) {
  return (
    <article id={id} className={isPage ? "max-w-[68ch]" : "border-t-2 border-ink pt-5 pb-8"}>
      <div className={`flex items-start justify-between gap-x-4 ${isPage ? "flex-wrap" : ""}`}>
        <div className="min-w-0">
          {isPage ? (
            <h1
              dir="auto"
              className="font-display text-4xl leading-[1.1] font-bold tracking-[-0.02em] text-balance"
            >
              {title}
            </h1>
          ) : (
            <h2
              dir="auto"
              className={`font-display font-bold tracking-tight ${isTitleLinked ? "text-2xl leading-tight sm:text-4xl" : "text-xl leading-7"}`}
            >
              {isTitleLinked ? (
                <Link to={path} className="marked">
                  {title}
                </Link>
              ) : (
                title
              )}
            </h2>
          )}
          {byline && <p className="mt-1 text-sm text-muted">{byline}</p>}
        </div>
        <div
          className={
            isPage ? "-ml-3 flex" : `-me-3 flex shrink-0 flex-wrap ${tools === 3 ? "min-w-33" : "min-w-22"}`
          }
        >
          {actions}
          <Link
            to={path}
            aria-label={`Permalink to ${title}`}
            title={`Permalink to ${title}`}
            className="inline-grid size-11 place-items-center text-muted hover:bg-marker hover:text-on-marker"
          >
            <LinkIcon />
          </Link>
          <CopyLink title={title} path={path} />
        </div>
      </div>
      {children}
    </article>
  );
}
