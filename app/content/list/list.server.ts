import { data } from "react-router";
import { type ContentRow, isLongerThan, readItem, searchContent } from "../../data/content-reads.ts";
import type { Authored } from "../../data/schema.ts";
import type { PageContext } from "../../site.ts";
import type { ListKind } from "../kind.ts";
import { EVERYTHING, parseSearch, type Search } from "../search/search.ts";
import { toCards } from "./cards.server.ts";
import { cursorOf, parseCursor } from "./cursor.ts";
import { type ListCard, type ListPage, VERSION_LENGTH } from "./page.ts";

/** About what the first screen shows, so that no search waits for more. */
export const PAGE_SIZE = 12;
const CARDS_ABOVE = 6;
/** With one more to know whether the list goes on, below the 1,000 rows at which hosted Supabase cuts a read. */
const ROWS_AT_ONCE = 900;
/** Keeps a document below 30 kB compressed; more cards would cost a phone more than they give. */
const DOCUMENT_BYTES = 20_500;
const DOCUMENT_CARDS = 54;
/** Of members' texts, most of them highlighted code: laying out more keeps a phone busy before it can be scrolled. */
const DOCUMENT_ELEMENTS = 600;
/** What the markup around a card's own texts adds, compressed. */
const CARD_BYTES = 40;
/** A list of up to so much JSON is sent whole and searched in the browser. */
const WHOLE_CHARACTERS = 1_000_000;
const WHOLE_CARDS = 3_000;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

type Around = { after?: string | null; before?: string | null; size?: number };

export async function readPage<Row extends ContentRow>(
  kind: ListKind<Row>,
  search: Search,
  { after = null, before = null, size = PAGE_SIZE }: Around,
  context: PageContext,
): Promise<ListPage<Row>> {
  const cursor = parseCursor(before ?? after);
  const backwards = before !== null;
  const rows = await searchContent(context.data, kind.table, {
    ...search,
    cursor,
    backwards,
    size: size + 1,
  });
  const items = rows.slice(0, size) as unknown as Authored<Row>[];
  const beyond = rows[size];
  const last = items.at(-1);
  const hasMore = beyond !== undefined && last !== undefined;
  const cards = await toCards(kind, backwards ? items.reverse() : items, context);
  return backwards
    ? { cards, previous: hasMore ? cursorOf(beyond) : null, next: before }
    : { cards, previous: cursor && after, next: hasMore ? cursorOf(last) : null };
}

/** The page that holds an item, with a few cards before it. Null when the search does not find the item. */
async function readAround<Row extends ContentRow>(
  kind: ListKind<Row>,
  search: Search,
  id: string,
  context: PageContext,
): Promise<ListPage<Row> | null> {
  const item = UUID.test(id) && (await readItem(context.data, kind.table, id));
  if (!item) return null;
  const { previous } = await readPage(kind, search, { before: cursorOf(item), size: CARDS_ABOVE }, context);
  const page = await readPage(kind, search, { after: previous, size: 3 * PAGE_SIZE }, context);
  return page.cards.some((card) => card.item.id === item.id) ? page : null;
}

/** Null when the cards are too many to send. */
async function readWhole<Row extends ContentRow>(kind: ListKind<Row>, context: PageContext) {
  if (await isLongerThan(context.data, kind.table, WHOLE_CARDS)) return null;
  const items: Authored<Row>[] = [];
  for (let characters = 0, isMore = true; isMore; ) {
    const last = items.at(-1);
    const cursor = last ? parseCursor(cursorOf(last)) : null;
    const rows = await searchContent(context.data, kind.table, { ...EVERYTHING, cursor, size: ROWS_AT_ONCE });
    items.push(...(rows as unknown as Authored<Row>[]));
    characters += JSON.stringify(rows).length;
    if (characters > WHOLE_CHARACTERS) return null;
    isMore = rows.length === ROWS_AT_ONCE;
  }
  return toCards(kind, items, context, { withText: true });
}

export async function answerList<Row extends ContentRow>(
  kind: ListKind<Row>,
  query: URLSearchParams,
  context: PageContext,
): Promise<{ cards: (ListCard<Row> | number)[] | null } | null> {
  const search = parseSearch(query);
  const known = (query.get("have") ?? "").match(new RegExp(`.{${VERSION_LENGTH}}`, "g")) ?? [];
  const places = new Map(known.map((version, place) => [version, place]));
  const around = query.get("around");
  const size = Math.min(Number.parseInt(query.get("size") ?? "", 10) || PAGE_SIZE, ROWS_AT_ONCE);
  const place = { after: query.get("after"), before: query.get("before"), size: Math.max(1, size) };
  const page = query.has("all")
    ? { cards: await readWhole(kind, context) }
    : around
      ? await readAround(kind, search, around, context)
      : await readPage(kind, search, place, context);
  return page && { ...page, cards: page.cards?.map((card) => places.get(card.version) ?? card) ?? null };
}

/**
 * What a content page begins with. A read that fails leaves a document empty and is logged (specification §8); to a
 * browser it throws a 503.
 */
export async function loadList<Row extends ContentRow>(
  kind: ListKind<Row>,
  query: URLSearchParams,
  context: PageContext,
): Promise<{ page: ListPage<Row> }> {
  const { isDocument } = context;
  try {
    const size = isDocument ? DOCUMENT_CARDS : PAGE_SIZE;
    const page = await readPage(kind, parseSearch(query), { after: query.get("after"), size }, context);
    return { page: isDocument ? fitDocument(page, context) : page };
  } catch (error) {
    context.logFailure(`content.${kind.table}`, error);
    if (!isDocument) throw data(null, { status: 503 });
    return { page: { cards: [], previous: null, next: null } };
  }
}

function fitDocument<Row extends ContentRow>(page: ListPage<Row>, context: PageContext): ListPage<Row> {
  const weigh = (cards: ListCard<Row>[]) =>
    context.documentBytes(cards.map(({ item, html = "" }) => JSON.stringify(item) + html).join("")) +
    cards.length * CARD_BYTES;
  const elements = (cards: ListCard<Row>[]) =>
    cards.reduce((sum, { html = "" }) => sum + html.split("</").length - 1, 0);
  let { cards } = page;
  while (cards.length > 1 && (elements(cards) > DOCUMENT_ELEMENTS || weigh(cards) > DOCUMENT_BYTES))
    cards = cards.slice(0, -Math.ceil(cards.length / 10));
  for (const { item, html } of cards) if (html !== undefined) context.renderedHtml.set(item.id, html);
  const last = cards.length < page.cards.length && cards.at(-1);
  return {
    cards: cards.map(({ item, version }) => ({ item, version })),
    previous: page.previous,
    next: last ? cursorOf(last.item) : page.next,
  };
}
