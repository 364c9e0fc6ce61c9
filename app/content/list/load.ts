import { data } from "react-router";
import {
  type ContentQuery,
  type ContentRow,
  countContent,
  findContent,
  isLongerThan,
  type Position,
  ROWS_PER_READ,
  readItem,
} from "../../data/content-reads.ts";
import type { Authored } from "../../data/schema.ts";
import type { PageContext } from "../../site.ts";
import type { CardData, ListKind } from "../kind.ts";
import { EVERYTHING, parseSearch, type Search, searchItems } from "../search.ts";
import { parsePosition } from "./address.ts";
import { type Listing, type Place, STRETCH, type Stretch } from "./stretch.ts";

/** What the cards of a document may weigh compressed, so that a page of any list stays below 30 kB. */
const DOCUMENT_BYTES = 20_500;
/** More elements would cost a phone more than they give. */
const DOCUMENT_CARDS = 60;
/** What the markup around a card's own texts adds, compressed. */
const CARD_BYTES = 40;
/** So many characters of HTML are rendered ahead of each list: of its usual texts, all of two thousand items. */
const AHEAD_CHARACTERS = 4_000_000;
/** What is rendered ahead rests for so many times as long as it worked: visitors come first. */
const REST = 3;
/** Up to this many characters a list is fetched whole and searched in the browser. */
const WHOLE_CHARACTERS = 1_000_000;
/** So many items have more characters than that, whatever they say: an id or two, a time, the names of the fields. */
const MOST_WHOLE = WHOLE_CHARACTERS / 200;

function queryOf<Row extends ContentRow>(
  kind: ListKind<Row>,
  search: Search,
  after?: Position | null,
): ContentQuery {
  return {
    table: kind.table,
    owner: kind.owner,
    fields: kind.searched,
    ...search,
    after: after ?? undefined,
  };
}

function positionOf({ created_at, id }: { created_at: string; id: string }): Position {
  return { createdAt: created_at, id };
}

async function toCards<Row extends ContentRow>(
  kind: ListKind<Row>,
  items: Authored<Row>[],
  { render }: PageContext,
): Promise<CardData<Row>[]> {
  const { rendered } = kind;
  if (!rendered) return items.map((item) => ({ item }));
  const html = await render(items.map((item) => rendered.job(item)));
  return items.map((item, index) => ({ item, html: html[index] ?? "" }));
}

/**
 * Takes a kind, a search, where to begin (an item, or a number of items to pass over), how many cards, and the
 * page's context; returns the next stretch of the list, long texts as their HTML alone where more stands behind it.
 * Throws ReadError.
 */
export async function loadStretch<Row extends ContentRow>(
  kind: ListKind<Row>,
  search: Search,
  { after, offset = 0, size = STRETCH }: { after?: Position | null; offset?: number; size?: number },
  context: PageContext,
): Promise<Stretch<Row>> {
  const found: Authored<Row>[] = [];
  let last = after;
  let isOver = false;
  // Usually once; more often only if the database found more than was looked for, and then ever more at once.
  for (let limit = size + 1; found.length <= size && !isOver; limit = Math.min(2 * limit, ROWS_PER_READ)) {
    const query = queryOf(kind, search, last);
    const rows = await findContent(context.data, query, limit, last ? 0 : offset);
    const end = rows.at(-1);
    isOver = rows.length < limit;
    last = end ? positionOf(end) : last;
    found.push(...searchItems(rows as unknown as Authored<Row>[], kind.searched, search));
  }
  const items = found.slice(0, size);
  const end = items.at(-1);
  const next = end && found.length > size ? positionOf(end) : null;
  const cards = await toCards(kind, items, context);
  // Only what is all there is to find is ever searched further where it goes to.
  return { cards: next ? cards.map((card) => withoutText(kind, card)) : cards, next };
}

/**
 * Takes a kind, the page's context and what ends it; has the texts rendered of its newest items, of all if they are not
 * too long. A stretch at a time and slower the more there is to do, so that visitors hardly notice. Throws ReadError.
 */
export async function renderAhead<Row extends ContentRow>(
  kind: ListKind<Row>,
  context: PageContext,
  end: AbortSignal,
): Promise<void> {
  let after: Position | null = null;
  let characters = 0;
  while (kind.rendered && characters < AHEAD_CHARACTERS && !end.aborted) {
    const begin = performance.now();
    const { cards, next }: Stretch<Row> = await loadStretch(kind, EVERYTHING, { after }, context);
    if (!next) return;
    after = next;
    for (const { html = "" } of cards) characters += html.length;
    await new Promise((resolve) => setTimeout(resolve, REST * (performance.now() - begin)));
  }
}

/** Takes a kind, a search and the page's context, returns how many items match. Throws ReadError. */
export function countMatches<Row extends ContentRow>(
  kind: ListKind<Row>,
  search: Search,
  { data }: PageContext,
): Promise<number> {
  return countContent(data, queryOf(kind, search));
}

/** Takes a kind, a search, an item's id and the page's context; returns the item's place in that list, or null. Throws ReadError. */
export async function findPlace<Row extends ContentRow>(
  kind: ListKind<Row>,
  search: Search,
  id: string,
  { data }: PageContext,
): Promise<Place | null> {
  const item = await readItem(data, kind.table, id);
  if (!item || searchItems([item as unknown as Authored<Row>], kind.searched, search).length === 0)
    return null;
  const [count, behind] = await Promise.all([
    countContent(data, queryOf(kind, search)),
    countContent(data, queryOf(kind, search, positionOf(item))),
  ]);
  return { place: count - behind - 1, count };
}

/** Takes a kind and the page's context, returns all its cards, newest first; null when they are too many to send. Throws ReadError. */
export async function loadWhole<Row extends ContentRow>(
  kind: ListKind<Row>,
  context: PageContext,
): Promise<CardData<Row>[] | null> {
  if (await isLongerThan(context.data, kind.table, MOST_WHOLE)) return null;
  const items: Authored<Row>[] = [];
  let characters = 0;
  for (;;) {
    const last = items.at(-1);
    const query = queryOf(kind, EVERYTHING, last && positionOf(last));
    const rows = (await findContent(context.data, query, ROWS_PER_READ)) as unknown as Authored<Row>[];
    items.push(...rows);
    characters += JSON.stringify(rows).length;
    if (characters > WHOLE_CHARACTERS) return null;
    if (rows.length < ROWS_PER_READ) return toCards(kind, items, context);
  }
}

/**
 * Takes a kind, the query of the page's address and the page's context; returns the cards that the page begins
 * with. A document gets as many as fit into it, their HTML in the markup and not in the data. A read that fails
 * leaves a document empty and says so in the log only (specification §8); to a browser it throws a 503.
 */
export async function loadListing<Row extends ContentRow>(
  kind: ListKind<Row>,
  parameters: URLSearchParams,
  context: PageContext,
): Promise<Listing<Row>> {
  const search = parseSearch(parameters);
  const after = parsePosition(parameters.get("after"));
  const load = context.isDocument ? loadForDocument : loadStretch;
  const stretch = await load(kind, search, { after }, context).catch((error: unknown) => {
    context.logFailure(`content.${kind.table}`, error);
    // A browser that asks keeps the cards that it has.
    if (!context.isDocument) throw data(null, { status: 503 });
    return { cards: [], next: null } satisfies Stretch<Row>;
  });
  return { search, isInDocument: context.isDocument, ...stretch };
}

/** Loads as many cards as fit into a document, and leaves out of its data what its markup says. */
async function loadForDocument<Row extends ContentRow>(
  kind: ListKind<Row>,
  search: Search,
  { after }: { after: Position | null },
  context: PageContext,
): Promise<Stretch<Row>> {
  const stretch = await loadStretch(kind, search, { after, size: DOCUMENT_CARDS }, context);
  const all = stretch.cards.map((card) => withoutText(kind, card));
  const cards = all.slice(0, longestFit(all.map(textOf), context.documentBytes));
  const last = cards.at(-1);
  for (const { item, html } of cards) if (html !== undefined) context.renderedHtml.set(item.id, html);
  return {
    cards: cards.map(({ item }) => ({ item })),
    next: last && cards.length < all.length ? positionOf(last.item) : stretch.next,
  };
}

/** Leaves out what the card's HTML says already. */
function withoutText<Row extends ContentRow>(
  { rendered }: ListKind<Row>,
  card: CardData<Row>,
): CardData<Row> {
  return rendered ? { ...card, item: { ...card.item, [rendered.field]: undefined } } : card;
}

/** What a card adds to a document: its HTML and its data. */
function textOf<Row extends ContentRow>({ item, html = "" }: CardData<Row>): string {
  return JSON.stringify(item) + html;
}

/** Takes texts and how they weigh, returns how many of the first ones fit into a document: one at least, if any. */
function longestFit(texts: string[], weigh: (text: string) => number): number {
  let fits = Math.min(1, texts.length);
  let tooMany = texts.length + 1;
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2);
    const bytes = weigh(texts.slice(0, middle).join("")) + middle * CARD_BYTES;
    if (bytes <= DOCUMENT_BYTES) fits = middle;
    else tooMany = middle;
  }
  return fits;
}
