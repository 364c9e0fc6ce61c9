import type { ContentRow, ContentTable } from "../../data/content-reads.ts";
import type { ListKind } from "../kind.ts";
import { parseSearch, type Search, searchItems } from "../search/search.ts";
import { type ListCard, type ListPage, type ListRequest, listQuery } from "./page.ts";

type Cards = ListCard<ContentRow>[];

/** The lists that this page has fetched whole; null for one that is too long. */
const wholeLists = new Map<ContentTable, Promise<Cards | null>>();
let search: AbortController | undefined;
let openTable: ContentTable | undefined;

/** Says which list is on the screen; returns how to say that it no longer is. */
export function openList(table: ContentTable): () => void {
  openTable = table;
  return () => {
    openTable = undefined;
  };
}

async function ask<Answer extends { cards: (ListCard<ContentRow> | number)[] | null }>(
  table: ContentTable,
  request: ListRequest,
  { known = [], signal }: { known?: Cards; signal?: AbortSignal } = {},
) {
  const have = known.map(({ version }) => version);
  const response = await fetch(
    `/lists/${table}?${listQuery({ ...request, have })}`,
    signal ? { signal } : {},
  );
  if (!response.ok) throw new Error(`The list cannot be read: ${response.status}`);
  const answer = (await response.json()) as Answer | null;
  const cards = answer?.cards?.flatMap((card) => (typeof card === "number" ? (known[card] ?? []) : card));
  return answer && { ...answer, cards: cards ?? null };
}

/** Null when the item that the page is to hold is not in the list. Throws when the server does not answer. */
export async function askPage<Row extends ContentRow>(
  table: ContentTable,
  request: ListRequest,
  options?: { known?: ListCard<Row>[]; signal?: AbortSignal },
): Promise<ListPage<Row> | null> {
  return (await ask(table, request, options as { known?: Cards })) as ListPage<Row> | null;
}

/**
 * The whole list, fetched once; the browser's cache keeps it across reloads, with its validator. Null when it is too
 * long. Throws when the server does not answer.
 */
export function wholeList(table: ContentTable, known?: Cards): Promise<Cards | null> {
  const kept = wholeLists.get(table);
  if (kept && !known) return kept;
  const asked = ask(table, { all: true }, known && { known }).then((answer) => answer?.cards ?? null);
  if (!known) wholeLists.set(table, asked);
  asked.then(
    () => wholeLists.set(table, asked),
    () => known || wholeLists.delete(table),
  );
  return asked;
}

function find<Row extends ContentRow>(kind: ListKind<Row>, cards: Cards, wanted: Search): ListPage<Row> {
  const byId = new Map(cards.map((card) => [card.item.id, card as unknown as ListCard<Row>]));
  const found = searchItems(
    [...byId.values()].map(({ item }) => item),
    kind.searched,
    wanted,
  );
  return { cards: found.flatMap(({ id }) => byId.get(id) ?? []), previous: null, next: null };
}

/** The answer to a search on a page that is open: from the whole list if it is short enough, else from the server. */
async function answer<Row extends ContentRow>(kind: ListKind<Row>, url: URL) {
  const wanted = parseSearch(url.searchParams);
  const after = url.searchParams.get("after");
  search?.abort();
  search = new AbortController();
  const { signal } = search;
  const whole = after ? null : await wholeList(kind.table).catch(() => null);
  if (whole) return find(kind, whole, wanted);
  return askPage<Row>(kind.table, { search: wanted, after }, { signal });
}

/** What a content page's client loader returns: a page, or the promise of one, until which the list stays as it is. */
export async function loadInBrowser<Row extends ContentRow>(
  kind: ListKind<Row>,
  url: URL,
  serverLoader: () => Promise<{ page: ListPage<Row> }>,
): Promise<{ page: ListPage<Row> | null | Promise<ListPage<Row> | null> }> {
  const isOpen = openTable === kind.table;
  openTable = kind.table;
  if (isOpen) return { page: answer(kind, url).catch(() => null) };
  wholeLists.delete(kind.table);
  return serverLoader().catch(() => ({ page: null }));
}

/** The same list with everybody's changes; only what changed is fetched. Throws when the server does not answer. */
export async function refreshPage<Row extends ContentRow>(
  kind: ListKind<Row>,
  wanted: Search,
  page: ListPage<Row>,
): Promise<ListPage<Row> | null> {
  const kept = await wholeLists.get(kind.table)?.catch(() => null);
  const whole = kept && (await wholeList(kind.table, kept));
  if (whole) return find(kind, whole, wanted);
  const { cards, previous } = page;
  return askPage(kind.table, { search: wanted, after: previous, size: cards.length + 1 }, { known: cards });
}
