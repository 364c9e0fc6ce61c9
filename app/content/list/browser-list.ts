import type { ContentRow, ContentTable } from "../../data/content-reads.ts";
import type { ListKind } from "../kind.ts";
import { parseSearch, type Search, searchItems } from "../search/search.ts";
import {
  type ListCard,
  type ListPage,
  type ListRequest,
  listQuery,
  type PageRequest,
  pageOf,
} from "./page.ts";

type Cards = ListCard<ContentRow>[];
type Options<Row extends ContentRow> = { known?: ListCard<Row>[]; signal?: AbortSignal };

/** As many as the longest document holds, so that a list that fits into one changes in one step. */
const SHOWN_AT_ONCE = 60;

/** Null for a list that is too long. */
const wholeLists = new Map<ContentTable, Promise<Cards | null>>();
let searching = new AbortController();
/** The list that the router asked for last; the screen may still show another. */
let current: ContentTable | undefined;

/** Null when the item that the page is to hold is not in the list. Throws when the server does not answer. */
export async function askServer<Row extends ContentRow>(
  table: ContentTable,
  request: ListRequest,
  { known = [], signal }: Options<Row> = {},
): Promise<ListPage<Row> | null> {
  const query = listQuery({ ...request, have: known.map(({ version }) => version) });
  const response = await fetch(`/lists/${table}?${query}`, { signal: signal ?? null });
  if (!response.ok) throw new Error(`The list cannot be read: ${response.status}`);
  const page = await response.json();
  const cards = page?.cards?.flatMap((card: ListCard<Row> | number) =>
    typeof card === "number" ? (known[card] ?? []) : card,
  );
  return page && { ...page, cards };
}

/**
 * The whole list, fetched once; the browser's cache keeps it across reloads, with its validator. Null when it is too
 * long. Throws when the server does not answer.
 */
export function wholeList(table: ContentTable, known?: Cards): Promise<Cards | null> {
  const kept = wholeLists.get(table);
  if (kept && !known) return kept;
  const asked = askServer(table, { all: true }, known && { known }).then((page) => page?.cards ?? null);
  if (!known) wholeLists.set(table, asked);
  asked.then(
    () => wholeLists.set(table, asked),
    () => known || wholeLists.delete(table),
  );
  return asked;
}

/** A page of a list: from the whole where that is here, else from the server. Throws when that does not answer. */
export async function readPage<Row extends ContentRow>(
  { table, searched }: ListKind<Row>,
  request: PageRequest,
  options?: Options<Row>,
): Promise<ListPage<Row> | null> {
  const whole = (await wholeLists.get(table)?.catch(() => null)) as ListCard<Row>[] | null | undefined;
  if (!whole) return askServer(table, request, options);
  const byItem = new Map(whole.map((card) => [card.item, card]));
  const found = searchItems([...byItem.keys()], searched, request.search);
  const cards = found.flatMap((item) => byItem.get(item) ?? []);
  return pageOf(cards, { size: SHOWN_AT_ONCE, ...request }) ?? askServer(table, request, options);
}

/** The same list with everybody's changes; only what changed is fetched. */
export async function refreshPage<Row extends ContentRow>(
  kind: ListKind<Row>,
  search: Search,
  { cards, previous }: ListPage<Row>,
): Promise<ListPage<Row> | null> {
  const whole = await wholeLists.get(kind.table)?.catch(() => null);
  if (whole) await wholeList(kind.table, whole);
  return readPage(kind, { search, after: previous, size: cards.length + 1 }, { known: cards });
}

async function search<Row extends ContentRow>(kind: ListKind<Row>, { searchParams }: URL) {
  searching.abort();
  searching = new AbortController();
  const { signal } = searching;
  await wholeList(kind.table).catch(() => null);
  return readPage(kind, { search: parseSearch(searchParams), after: searchParams.get("after") }, { signal });
}

/** What a content page's client loader returns: a page, or the promise of one, until which the list stays as it is. */
export async function loadInBrowser<Row extends ContentRow>(
  kind: ListKind<Row>,
  url: URL,
  serverLoader: () => Promise<{ page: ListPage<Row> }>,
): Promise<{ page: ListPage<Row> | null | Promise<ListPage<Row> | null> }> {
  const isOpen =
    (current ?? kind.table) === kind.table && document.querySelector(`[data-list="${kind.table}"]`);
  current = kind.table;
  if (isOpen) return { page: search(kind, url).catch(() => null) };
  wholeLists.delete(kind.table);
  return serverLoader().catch(() => ({ page: null }));
}
