import { type Article, articles } from "../../../../common/kinds/articles.ts";
import { LocalDate } from "../../../ui/local-date.tsx";
import { ServerHtml } from "../../../ui/server-html.tsx";
import { CardFrame } from "../../card-frame.tsx";
import type { CardProps } from "../../content-kind.ts";
import { isPending } from "../../pending-text.ts";
import { WholeTextLink } from "../../whole-text-link.tsx";
import { readingMinutes } from "./reading-time.ts";

export default function ArticleCard({
  card: { item, html, isCut },
  actions,
  isOwn,
  isPage,
}: CardProps<Article>) {
  return (
    <CardFrame
      kind={articles}
      item={item}
      isLarge
      isPage={isPage}
      actions={actions}
      bylinePrefix="By"
      bylineNote={
        <>
          {" | "}
          <LocalDate time={item.created_at} />
          {!item.published && <NotPublished isOwn={isOwn === true} />}
        </>
      }
    >
      {isPending(html) && <p className="mb-4 text-sm text-muted">The formatting follows in a moment.</p>}
      {isPage && html !== undefined && <ReadingFacts item={item} html={html} />}
      <ServerHtml html={html} className="prose" />
      {isCut && <WholeTextLink kind={articles} item={item} />}
    </CardFrame>
  );
}

/** The note for the owner. On narrow screens, other members get an empty line, because the page doesn't know at first who reads it. */
function NotPublished({ isOwn }: { isOwn: boolean }) {
  return isOwn ? (
    <span className="block">Not published, so not shown on the home page</span>
  ) : (
    <span className="hidden min-lines-1 max-lg:in-data-session:block" />
  );
}

function ReadingFacts({ item, html }: { item: Article; html: string }) {
  const { created_at, updated_at } = item;
  return (
    <p className="mb-4 text-sm text-muted">
      <span>{`${readingMinutes(html)} min read`}</span>
      {updated_at && updated_at.slice(0, 10) > created_at.slice(0, 10) && (
        <>
          {" | Updated "}
          <LocalDate time={updated_at} />
        </>
      )}
    </p>
  );
}
