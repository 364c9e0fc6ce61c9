import { createHash } from "node:crypto";
import { isUuid } from "../../data/addresses.ts";
import { isLongerThan, readItem, searchContent } from "../../data/content-reads.ts";
import { withWriters } from "../../data/people-reads.ts";
import type { Authored, ContentRow } from "../../data/schema.ts";
import type { PageContext } from "../../site.ts";
import type { KindDefinition } from "../kinds/kind-definition.ts";
import { EVERYTHING, parseSearch } from "../search/search.ts";
import { cursorOf, type ListCard, type ListPage, type PageRequest, parseCursor, slicePage } from "./page.ts";

export const PAGE_SIZE = 12;
const CARDS_ABOVE = 6;
/** With one more to know whether the list goes on, below the 1,000 rows at which hosted Supabase cuts a read. */
const MOST_AT_ONCE = 900;
const WHOLE_CHARACTERS = 1_000_000;
const DOCUMENT_CARDS = 54;
/** Keeps a document below 30 kB compressed. */
const DOCUMENT_CHARACTERS = 40_000;
/** Of members' texts, most of them highlighted code: laying out more keeps a phone busy before it can be scrolled. */
const DOCUMENT_ELEMENTS = 600;
/** Characters: a changed card passes for an unchanged one in 10^9 cases. */
const VERSION_LENGTH = 5;

async function toCards(
  kind: KindDefinition,
  items: Authored<ContentRow>[],
  context: PageContext,
  hasText = false,
) {
  const { rendered } = kind;
  const [html, shown] = await Promise.all([
    rendered ? context.render(items.map((item) => rendered.job(item))) : [],
    withWriters(context.data, kind, items),
  ]);
  return shown.map((item, index) => {
    const hash = createHash("sha1").update(JSON.stringify(item)).digest("base64url");
    return {
      item: rendered && !hasText ? { ...item, [rendered.field]: undefined } : item,
      version: hash.slice(0, VERSION_LENGTH),
      ...(rendered && { html: html[index] ?? "" }),
    };
  });
}

export async function readPage(
  kind: KindDefinition,
  { search, around, before, size = PAGE_SIZE, ...asked }: PageRequest,
  context: PageContext,
): Promise<ListPage> {
  const item = around && isUuid(around) && (await readItem(context.data, kind.table, around));
  const above = item && { search, before: cursorOf(item), size: CARDS_ABOVE };
  const after = above ? (await readPage(kind, above, context)).previous : asked.after;
  const place = { cursor: parseCursor(before ?? after), backwards: Boolean(before), size: size + 1 };
  const items = await searchContent(context.data, kind.table, { ...search, ...place });
  const beyond = items.splice(size)[0];
  const last = items.at(-1);
  if (before) items.reverse();
  const cards = await toCards(kind, items, context);
  return before
    ? { cards, previous: beyond ? cursorOf(beyond) : null, next: before }
    : { cards, previous: (place.cursor && after) ?? null, next: beyond && last ? cursorOf(last) : null };
}

async function readWhole(kind: KindDefinition, context: PageContext): Promise<ListCard[] | null> {
  if (await isLongerThan(context.data, kind.table, MOST_AT_ONCE)) return null;
  const everything = { ...EVERYTHING, cursor: null, size: MOST_AT_ONCE };
  const items = await searchContent(context.data, kind.table, everything);
  return JSON.stringify(items).length > WHOLE_CHARACTERS ? null : toCards(kind, items, context, true);
}

function requestOf(query: URLSearchParams, usualSize: number): PageRequest {
  const [after, before, around] = ["after", "before", "around"].map((name) => query.get(name));
  const size = Math.min(Math.max(1, Number.parseInt(query.get("size") ?? "", 10) || usualSize), MOST_AT_ONCE);
  return { search: parseSearch(query), after, before, around, size };
}

export async function answerList(kind: KindDefinition, query: URLSearchParams, context: PageContext) {
  const page = query.has("all")
    ? { cards: await readWhole(kind, context) }
    : await readPage(kind, requestOf(query, PAGE_SIZE), context);
  const known = query.get("have")?.split(".") ?? [];
  const places = new Map(known.map((version, place) => [version, place]));
  return { ...page, cards: page.cards?.map((card) => places.get(card.version) ?? card) ?? null };
}

/** What a document begins with. A read that fails leaves it empty and is logged (specification §8). */
export async function loadList(kind: KindDefinition, query: URLSearchParams, context: PageContext) {
  try {
    const page = await readPage(kind, requestOf(query, DOCUMENT_CARDS), context);
    return { page: fitDocument(page, query.get("around")) };
  } catch (error) {
    context.logFailure(`content.${kind.table}`, error);
    return { page: null };
  }
}

function fitDocument(page: ListPage, around: string | null): ListPage {
  let characters = DOCUMENT_CHARACTERS;
  let elements = DOCUMENT_ELEMENTS;
  const fitting = page.cards.filter(({ item, html = "" }) => {
    characters -= JSON.stringify(item).length + html.length;
    elements -= html.split("</").length - 1;
    return characters > 0 && elements > 0;
  });
  const wanted = page.cards.findIndex(({ item }) => item.id === around);
  return slicePage(page, 0, Math.max(1, wanted + 1, fitting.length));
}
