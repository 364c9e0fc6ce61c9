import type { RouterContextProvider } from "react-router";
import { type ItemData, loadItem } from "../content/item/load-item.ts";
import type { ContentKind } from "../content/kind.ts";
import { itemPath } from "../data/addresses.ts";
import type { ContentRow } from "../data/content-reads.ts";
import type { Writer } from "../data/schema.ts";
import type { JsonLd } from "../document/json-ld.server.ts";
import { pageMeta, SITE_CARD } from "../document/page-meta.ts";
import { readOrFail } from "../document/read-or-fail.ts";
import { pageContext, type Site } from "../site.ts";

interface LoaderArgs {
  params: { id: string };
  context: Readonly<RouterContextProvider>;
}

interface ItemFacts<Row> {
  row: Row;
  writer: Writer;
  description: string;
  card: string;
}

type ItemPageData<Row extends ContentRow> = ItemData<Row> & { jsonLd: JsonLd };

export function itemLoader<Row extends ContentRow, Values>(
  kind: ContentKind<Row, Values>,
  jsonLd: (site: Site, facts: ItemFacts<Row>) => JsonLd,
) {
  return async ({ params, context }: LoaderArgs): Promise<ItemPageData<Row>> => {
    const page = context.get(pageContext);
    const data = await readOrFail(`item.${kind.table}`, page, loadItem(kind, params.id, page));
    const { item: row } = data.card;
    return {
      ...data,
      jsonLd: jsonLd(page.site, {
        row,
        writer: row.profiles,
        description: data.description,
        card: cardPath(row),
      }),
    };
  };
}

interface MetaArgs<Row extends ContentRow> {
  matches: Parameters<typeof pageMeta>[0];
  loaderData: ItemPageData<Row> | undefined;
}

export function itemMeta<Row extends ContentRow, Values>({ table }: ContentKind<Row, Values>) {
  return ({ matches, loaderData }: MetaArgs<Row>) => {
    if (!loaderData) return [];
    const { description, jsonLd } = loaderData;
    const { item } = loaderData.card;
    return pageMeta(matches, {
      path: itemPath(table, item.id),
      name: item.title,
      description,
      type: "article",
      card: cardPath(item),
      robots: "published" in item && !item.published ? "noindex" : undefined,
      jsonLd,
    });
  };
}

/** Articles have cards of their own once they are published. */
function cardPath(item: ContentRow): string {
  return "published" in item && item.published ? `/cards/articles/${item.id}.png` : SITE_CARD;
}
