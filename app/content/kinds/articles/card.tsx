import { LocalDate } from "../../../ui/local-date.tsx";
import { ServerHtml } from "../../../ui/server-html.tsx";
import { CardFrame } from "../../card-frame.tsx";
import type { CardProps } from "../../kind.ts";
import { type Article, articles } from "./definition.ts";

export default function ArticleCard({ card: { item, html }, actions, isOwn, isPage }: CardProps<Article>) {
  return (
    <CardFrame
      kind={articles}
      item={item}
      isTitleLinked
      isPage={isPage}
      actions={actions}
      by="By"
      note={
        <>
          {" | "}
          <LocalDate time={item.created_at} />
          {isOwn && !item.published && <span className="block">Not published: not on the home page</span>}
        </>
      }
    >
      <ServerHtml html={html} className="prose" />
    </CardFrame>
  );
}
