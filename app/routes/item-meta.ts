import type { ItemData } from "../content/item/load-item.ts";
import type { ListKind } from "../content/kind.ts";
import { itemPath } from "../data/addresses.ts";
import type { Writer } from "../data/author.ts";
import type { ContentRow } from "../data/content-reads.ts";
import type { JsonLd } from "../document/json-ld.ts";
import { type PageAbout, SITE_CARD } from "../document/page-meta.ts";
import type { Site } from "../site.ts";

interface ItemFacts<Row> {
  row: Row;
  writer: Writer;
  description: string;
  card: string;
}

/** What an item's page tells of itself. Articles have cards of their own once they are published. */
export function itemMeta<Row extends ContentRow>(
  { table }: ListKind<Row>,
  { card, writer, description }: ItemData<Row>,
  jsonLd: (site: Site, facts: ItemFacts<Row>) => JsonLd,
): PageAbout {
  const { item } = card;
  const isUnpublished = "published" in item && !item.published;
  const picture = "published" in item && item.published ? `/cards/articles/${item.id}.png` : SITE_CARD;
  return {
    path: itemPath(table, item.id),
    name: item.title,
    description,
    type: "article",
    card: picture,
    robots: isUnpublished ? "noindex" : undefined,
    jsonLd: (site) => jsonLd(site, { row: item, writer, description, card: picture }),
  };
}
