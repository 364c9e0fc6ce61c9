import { searchContent } from "../data/content-reads.ts";
import type { PageContext } from "../site.ts";
import type { ListKind } from "./kind.ts";
import { cursorOf, parseCursor } from "./list/cursor.ts";
import { toCards } from "./list/list.server.ts";
import { EVERYTHING } from "./search/search.ts";

/** So many characters of HTML are rendered ahead of each list: of its usual texts, all of two thousand items. */
const AHEAD_CHARACTERS = 4_000_000;
const ITEMS_AT_ONCE = 12;
/** Visitors come first: what is rendered ahead rests for so many times as long as it worked. */
const REST = 3;

export async function renderAhead(kind: ListKind, context: PageContext, end: AbortSignal): Promise<void> {
  let cursor: ReturnType<typeof parseCursor> = null;
  let characters = 0;
  while (kind.rendered && characters < AHEAD_CHARACTERS && !end.aborted) {
    const begin = performance.now();
    const query = { ...EVERYTHING, cursor, size: ITEMS_AT_ONCE };
    const items = await searchContent(context.data, kind.table, query);
    const cards = await toCards(kind, items, context);
    for (const { html = "" } of cards) characters += html.length;
    const last = items.at(-1);
    if (!last || items.length < ITEMS_AT_ONCE) return;
    cursor = parseCursor(cursorOf(last));
    await new Promise((resolve) => setTimeout(resolve, REST * (performance.now() - begin)));
  }
}
