import { data } from "react-router";
import { ItemPage } from "../content/item/item-page.tsx";
import { loadItem } from "../content/item/load-item.ts";
import { articles } from "../content/kinds/articles.tsx";
import { articleJsonLd } from "../document/json-ld.ts";
import { pageMeta } from "../document/page-meta.ts";
import { readOrFail } from "../document/read-or-fail.ts";
import { pageContext } from "../site.ts";
import type { Route } from "./+types/article";
import { itemMeta } from "./item-meta.ts";

export async function loader({ params: { id }, context }: Route.LoaderArgs) {
  const page = context.get(pageContext);
  const item = await readOrFail("item.articles", page, loadItem(articles, id, page));
  if (!item) throw data(null, { status: 404 });
  return item;
}

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  loaderData ? pageMeta(matches, itemMeta(articles, loaderData, articleJsonLd)) : [];

export default function ArticleRoute({ loaderData }: Route.ComponentProps) {
  return <ItemPage kind={articles} data={loaderData} />;
}
