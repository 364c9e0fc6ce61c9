import { createHash } from "node:crypto";
import { type ContentRow, searchContent } from "../../data/content-reads.ts";
import { findSegments } from "../../data/people-reads.ts";
import type { Authored } from "../../data/schema.ts";
import type { PageContext } from "../../site.ts";
import type { ListKind } from "../kind.ts";
import { EVERYTHING } from "../search/search.ts";
import { cursorOf, parseCursor } from "./cursor.ts";
import { type ListCard, VERSION_LENGTH } from "./page.ts";

/** Without its text a card is what a reader needs; with it, what the browser can search. */
export async function toCards<Row extends ContentRow>(
  { rendered, owner }: ListKind<Row>,
  items: Authored<Row>[],
  { data, render }: PageContext,
  { withText = false } = {},
): Promise<ListCard<Row>[]> {
  const idOf = (item: Row) => item[owner] as string;
  const authors = items.map((item) => ({ id: idOf(item), username: item.profiles?.username ?? null }));
  const [html, segments] = await Promise.all([
    rendered ? render(items.map((item) => rendered.job(item))) : [],
    // Everybody's page is found by their id as well.
    findSegments(data, authors).catch(() => new Map<string, string>()),
  ]);
  return items.map((row, index) => {
    const segment = segments.get(idOf(row)) ?? idOf(row);
    const item = { ...row, profiles: row.profiles && { ...row.profiles, segment } };
    const version = createHash("sha1")
      .update(JSON.stringify(item))
      .digest("base64url")
      .slice(0, VERSION_LENGTH);
    if (!rendered) return { item, version };
    const shown = withText ? item : { ...item, [rendered.field]: undefined };
    return { item: shown, html: html[index] ?? "", version };
  });
}

/** So many characters of HTML are rendered ahead of each list: of its usual texts, all of two thousand items. */
const AHEAD_CHARACTERS = 4_000_000;
const ITEMS_AT_ONCE = 12;
/** Visitors come first: what is rendered ahead rests for so many times as long as it worked. */
const REST = 3;

/** Renders the texts of a list's newest items before anybody asks for them. Throws ReadError. */
export async function renderAhead<Row extends ContentRow>(
  kind: ListKind<Row>,
  context: PageContext,
  end: AbortSignal,
): Promise<void> {
  let cursor: ReturnType<typeof parseCursor> = null;
  let characters = 0;
  while (kind.rendered && characters < AHEAD_CHARACTERS && !end.aborted) {
    const begin = performance.now();
    const query = { ...EVERYTHING, cursor, size: ITEMS_AT_ONCE };
    const items = (await searchContent(context.data, kind.table, query)) as unknown as Authored<Row>[];
    const cards = await toCards(kind, items, context);
    for (const { html = "" } of cards) characters += html.length;
    const last = items.at(-1);
    if (!last || items.length < ITEMS_AT_ONCE) return;
    cursor = parseCursor(cursorOf(last));
    await new Promise((resolve) => setTimeout(resolve, REST * (performance.now() - begin)));
  }
}
