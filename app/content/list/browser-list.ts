import { fetchInTime } from "../../data/fetch-in-time.ts";
import type { KindDefinition } from "../kinds/kind-definition.ts";
import { EVERYTHING, formatSearch, parseSearch, type Search, searchCards } from "../search/search.ts";
import { type ListCard, type ListPage, type PageRequest, pageOf } from "./page.ts";

/** `cards`: undefined until they are here, null of a list that is too long. */
const wholeLists = new Map<string, { cards?: ListCard[] | null; arrival: Promise<ListPage> }>();

async function askServer(
  table: string,
  { search = EVERYTHING, ...rest }: Partial<PageRequest> & { all?: true; have?: string },
  signal: AbortSignal | null = null,
): Promise<ListPage> {
  const response = await fetchInTime(`/lists/${table}${formatSearch(search, rest)}`, { signal });
  if (!response.ok) throw new Error(`The list cannot be read: ${response.status}`);
  return response.json();
}

export async function fetchWhole(table: string): Promise<void> {
  const whole = wholeLists.get(table) ?? { arrival: askServer(table, { all: true }) };
  wholeLists.set(table, whole);
  try {
    whole.cards = (await whole.arrival).cards;
  } catch {
    wholeLists.delete(table);
  }
}

export function pageOfWhole({ table, searched }: KindDefinition, request: PageRequest): ListPage | null {
  const cards = wholeLists.get(table)?.cards;
  return cards ? pageOf(searchCards(cards, searched, request.search), request) : null;
}

/** Throws when the server is asked and does not answer. */
export async function readPage(kind: KindDefinition, request: PageRequest, signal?: AbortSignal) {
  return pageOfWhole(kind, request) ?? askServer(kind.table, request, signal);
}

/** The same list with everybody's changes. Throws when the server does not answer. */
export async function refreshPage(table: string, search: Search, { cards: known, previous }: ListPage) {
  wholeLists.delete(table);
  const have = known.map(({ version }) => version).join(".");
  const page = await askServer(table, { search, after: previous, size: known.length + 1, have });
  // Of cards that are here the server sends the places alone.
  const cards = page.cards.flatMap((card: ListCard | number) =>
    typeof card === "number" ? (known[card] ?? []) : card,
  );
  return { ...page, cards };
}

/** A content page's client loader. A load that fails returns no page (specification §8). */
export async function loadInBrowser(kind: KindDefinition, query: URLSearchParams, signal: AbortSignal) {
  const around = query.get("around");
  const isSearch = !around && document.querySelector(`[data-list="${kind.table}"]`);
  if (isSearch) await fetchWhole(kind.table);
  else wholeLists.delete(kind.table);
  const request = { search: parseSearch(query), after: query.get("after"), around };
  return { page: await readPage(kind, request, signal).catch(() => null) };
}
