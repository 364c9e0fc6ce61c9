import type { ReactNode } from "react";

/** Takes an item's id (the card's anchor), title, the buttons beside it, the line below it, and the rest. */
export function CardFrame({
  id,
  title,
  actions,
  byline,
  children,
}: {
  id: string;
  title: string;
  actions: ReactNode;
  byline?: ReactNode;
  children: ReactNode;
}) {
  return (
    <article id={id} className="rounded-lg border border-line bg-surface p-5 sm:p-7">
      <div className="flex items-start justify-between gap-4">
        <div className="min-w-0">
          <h2 className="font-display text-2xl leading-8 font-bold tracking-tight">{title}</h2>
          {byline && <p className="mt-1 text-sm text-muted">{byline}</p>}
        </div>
        <div className="-mt-1.5 -mr-2 flex shrink-0">{actions}</div>
      </div>
      {children}
    </article>
  );
}
