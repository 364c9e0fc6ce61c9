import { type ContentRow, listContent } from "../data/reads.ts";
import type { Authored } from "../data/schema.ts";
import type { PageContext } from "../site.ts";
import type { CardData, ContentKind } from "./kind.ts";
import { type Search, searchItems } from "./search.ts";

/** The cards that a content page begins with. */
export interface Listing<Row extends ContentRow> {
  cards: CardData<Row>[];
}

/**
 * Takes a kind, what is searched and the page's context; returns the cards that match, in order.
 * A read that fails leaves the page empty and says so in the log only (specification §8).
 */
export async function loadListing<Row extends ContentRow, Draft>(
  kind: ContentKind<Row, Draft>,
  search: Search,
  context: PageContext,
): Promise<Listing<Row>> {
  const items = await listContent(context.data, kind.table).catch((error: unknown) => {
    context.logFailure(`content.${kind.table}`, error);
    return [];
  });
  const found = searchItems(items as Authored<Row>[], kind.searched, search);
  const rendered = kind.rendered;
  if (!rendered) return { cards: found.map((item) => ({ item })) };

  const html = await context.render(found.map(rendered.job));
  return {
    cards: found.map((item, index) => {
      const card = { item, html: html[index] ?? "" };
      if (!context.isDocument) return card;
      context.renderedHtml.set(item.id, card.html);
      return { item: { ...item, [rendered.field]: undefined } };
    }),
  };
}
