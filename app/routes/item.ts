import type { RouterContextProvider } from "react-router";
import { type ItemData, loadItem } from "../content/item/load-item.ts";
import type { ContentKind } from "../content/kind.ts";
import { itemPath } from "../data/addresses.ts";
import type { Writer } from "../data/author.ts";
import type { ContentRow } from "../data/content-reads.ts";
import type { JsonLd } from "../document/json-ld.ts";
import { pageMeta, SITE_CARD } from "../document/page-meta.ts";
import { readOrFail } from "../document/read-or-fail.ts";
import { pageContext, type Site } from "../site.ts";

interface LoaderArgs {
  params: { id: string };
  context: Readonly<RouterContextProvider>;
}

export function itemLoader<Row extends ContentRow, Values>(kind: ContentKind<Row, Values>) {
  return ({ params, context }: LoaderArgs): Promise<ItemData<Row>> => {
    const page = context.get(pageContext);
    return readOrFail(`item.${kind.table}`, page, loadItem(kind, params.id, page));
  };
}

interface ItemFacts<Row> {
  row: Row;
  writer: Writer;
  description: string;
  card: string;
}

interface MetaArgs<Row extends ContentRow> {
  matches: Parameters<typeof pageMeta>[0];
  loaderData: ItemData<Row> | undefined;
}

/** Articles have cards of their own once they are published. */
export function itemMeta<Row extends ContentRow, Values>(
  { table }: ContentKind<Row, Values>,
  jsonLd: (site: Site, facts: ItemFacts<Row>) => JsonLd,
) {
  return ({ matches, loaderData }: MetaArgs<Row>) => {
    if (!loaderData) return [];
    const { writer, description } = loaderData;
    const { item } = loaderData.card;
    const isArticle = "published" in item;
    const card = isArticle && item.published ? `/cards/articles/${item.id}.png` : SITE_CARD;
    return pageMeta(matches, {
      path: itemPath(table, item.id),
      name: item.title,
      description,
      type: "article",
      card,
      robots: isArticle && !item.published ? "noindex" : undefined,
      jsonLd: (site) => jsonLd(site, { row: item, writer, description, card }),
    });
  };
}
