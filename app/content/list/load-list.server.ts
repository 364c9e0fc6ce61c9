import { isUuid } from "../../../common/data/addresses.ts";
import { columnOf, readItem, searchContent } from "../../../common/data/content-reads.ts";
import { MAX_CHARACTERS } from "../../../common/data/limits.ts";
import { withAuthors } from "../../../common/data/people-reads.ts";
import type { ContentRow } from "../../../common/data/schema.ts";
import { type KindDefinition, renderedColumn, renderJob } from "../../../common/kinds/kind-definition.ts";
import type { PageServices, RenderJob } from "../../../common/page-services.ts";
import { failedList, type ListPage, type LoadedList } from "../../list/loaded-list.ts";
import { cursorOf, parseCursor, readPages } from "../../list/read-pages.server.ts";
import type { CardData } from "../content-kind.ts";
import { formatSearch, parseSearch, type Search } from "../search/search.ts";
import { cutCode, cutMarkdown, mayNeedDefinitions } from "./cut-text.ts";

const PAGE_SIZE = 48;
/** Used instead of `PAGE_SIZE` for kinds with rendered HTML in their cards, because such cards are long. */
export const RENDERED_PAGE_SIZE = 12;
/**
 * The maximum number of characters per page: of HTML and of all other texts that cards show. A card that would exceed
 * it starts the next page, unless it is the page's first card or precedes the item that the URL asks for. This usually
 * keeps the compressed document below 35 kB.
 */
const PAGE_CHARACTERS = 25_000;
const CARDS_ABOVE = 6;
/** One character more than a card shows, so that `cutText` knows which texts are longer. */
const READ_CHARACTERS = MAX_CHARACTERS.card + 1;

/** Loads the list of a content page. If a read fails, logs the error and returns a `failedList` (specification §8). */
export async function loadList(
  kind: KindDefinition,
  query: URLSearchParams,
  context: PageServices,
): Promise<{ list: LoadedList<CardData> }> {
  try {
    return { list: await readList(kind, query, context) };
  } catch (error) {
    context.logFailure(`content.${kind.table}`, error);
    return { list: failedList(formatSearch(parseSearch(query))) };
  }
}

async function readList(
  kind: KindDefinition,
  query: URLSearchParams,
  context: PageServices,
): Promise<LoadedList<CardData>> {
  const search = parseSearch(query);
  const aroundId = query.get("around");
  const after = query.get("after");
  const start = aroundId ? await cursorAbove(kind, search, aroundId, context) : parseCursor(after) && after;
  const pages = await readPages(start, query.get("pages"), (cursor) =>
    readPage(kind, search, cursor, aroundId, context),
  );
  return { ...pages, query: formatSearch(search) };
}

/**
 * Returns the cursor of a page that starts a few cards above the item, so that readers can scroll up from it. Null
 * means the start of the list.
 */
async function cursorAbove(
  kind: KindDefinition,
  search: Search,
  id: string,
  { data }: PageServices,
): Promise<string | null> {
  const item = isUuid(id) ? await readItem(data, kind.table, id, { columns: ["id", "created_at"] }) : null;
  if (!item) return null;
  const cursor = parseCursor(cursorOf(item));
  const size = CARDS_ABOVE + 1;
  const { items: above } = await searchContent(data, kind.table, {
    ...search,
    cursor,
    backwards: true,
    size,
    textLimit: 0,
  });
  const first = above[CARDS_ABOVE];
  return first ? cursorOf(first) : null;
}

async function readPage(
  kind: KindDefinition,
  search: Search,
  after: string | null,
  aroundId: string | null,
  { data, render }: PageServices,
): Promise<ListPage<CardData>> {
  const rendered = renderedColumn(kind);
  const size = rendered ? RENDERED_PAGE_SIZE : PAGE_SIZE;
  const { items, older } = await searchContent(data, kind.table, {
    ...search,
    cursor: parseCursor(after),
    size: size + 1,
    textLimit: READ_CHARACTERS,
  });
  const candidates = items.slice(0, Math.min(size, likelyCards(kind, items, aroundId)));
  const jobs = candidates.flatMap((item) => renderJob(kind, item) ?? []);
  const cutJobs = await Promise.all(
    jobs.map(async (job, index) => {
      const text = await cutText(kind, candidates[index]?.id ?? "", job, data);
      return text === null ? null : { ...job, text };
    }),
  );
  const [authoredItems, html] = await Promise.all([
    withAuthors(data, kind, candidates),
    render(cutJobs.map((job, index) => job ?? jobs[index]).filter((job) => job !== undefined)),
  ]);
  const cards: CardData[] = authoredItems.map((item, index) => {
    if (!rendered) return { item };
    const card = { item: { ...item, [rendered]: undefined }, html: html[index] ?? "" };
    return cutJobs[index] ? { ...card, isCut: true } : card;
  });
  const fitting = cards.slice(0, fittingCards(kind, cards, aroundId));
  const last = fitting.at(-1);
  const hasNext = last !== undefined && fitting.length < items.length;
  return {
    cards: fitting,
    next: hasNext ? cursorOf(last.item) : null,
    notes: { older: hasNext || !older ? null : { after: cursorOf(older), time: older.created_at } },
  };
}

/**
 * Returns how many items to render: few of those with long texts fit on a page, and rendering the others would take a
 * second. HTML is usually longer than its Markdown. If it is shorter, the page has fewer cards than would fit.
 */
function likelyCards(kind: KindDefinition, items: ContentRow[], aroundId: string | null): number {
  let characters = 0;
  const firstTooLong = items.findIndex((item) => {
    characters += Math.min(renderJob(kind, item)?.text.length ?? 0, MAX_CHARACTERS.card);
    return characters > 2 * PAGE_CHARACTERS;
  });
  const aroundIndex = items.findIndex(({ id }) => id === aroundId);
  return Math.max(firstTooLong < 0 ? items.length : firstTooLong, aroundIndex + 1);
}

/** Returns what a card shows of a text that is too long for it, or null if a card can show all of it. */
async function cutText(
  kind: KindDefinition,
  id: string,
  { format, text }: RenderJob,
  data: PageServices["data"],
): Promise<string | null> {
  if (format === "code") return cutCode(text);
  const cut = cutMarkdown(text);
  if (cut === null || !mayNeedDefinitions(cut)) return cut;
  const column = renderedColumn(kind) ?? "";
  const whole = await readItem<ContentRow>(data, kind.table, id, { columns: [column] });
  return whole ? (cutMarkdown(String(columnOf(whole, column))) ?? cut) : cut;
}

/** The number of characters of HTML and text that the card shows, and that the page's data contains. */
function charactersOf({ columns }: KindDefinition, { item, html = "" }: CardData): number {
  const values = Object.keys(columns).map((name) => columnOf(item, name));
  return html.length + JSON.stringify([values, item.profiles]).length;
}

/** Returns how many cards fit on a page: at least one, and at least those up to the item that the URL asks for. */
function fittingCards(kind: KindDefinition, cards: CardData[], aroundId: string | null): number {
  let characters = 0;
  const firstTooLong = cards.findIndex((card) => {
    characters += charactersOf(kind, card);
    return characters > PAGE_CHARACTERS;
  });
  const fitting = firstTooLong < 0 ? cards.length : firstTooLong;
  // The index is -1 if the item is not on this page, and then adds no cards.
  const aroundIndex = cards.findIndex(({ item }) => item.id === aroundId);
  return Math.max(1, fitting, aroundIndex + 1);
}
