import { ItemPage } from "../content/item/item-page.tsx";
import { articles } from "../content/kinds/article-kind.tsx";
import { articleJsonLd } from "../document/json-ld.server.ts";
import type { Route } from "./+types/article";
import { itemLoader, itemMeta } from "./item.ts";

export const loader = itemLoader(articles, articleJsonLd);
export const meta = itemMeta(articles);

export default function ArticleRoute({ loaderData }: Route.ComponentProps) {
  return <ItemPage kind={articles} data={loaderData} />;
}
