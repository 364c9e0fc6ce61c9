import { type ListPage, type LoadedList, MAX_PAGES } from "./loaded-list.ts";

/** No further page is read once the JSON of the cards has this many characters, even if the URL requests more pages. */
const MAX_CHARACTERS = 1_000_000;

/**
 * Reads the pages after a cursor or, for null, the first pages of the list.
 *
 * @param pages the URL parameter with the number of pages; one page by default
 */
export async function readPages<Card>(
  after: string | null,
  pages: string | null,
  readPage: (after: string | null) => Promise<ListPage<Card>>,
): Promise<Omit<LoadedList<Card>, "query">> {
  const requested = Math.min(Number.parseInt(pages ?? "1", 10) || 1, MAX_PAGES);
  const list: Omit<LoadedList<Card>, "query"> = { ...(await readPage(after)), after, pageCount: 1 };
  while (list.pageCount < requested && list.next && JSON.stringify(list.cards).length < MAX_CHARACTERS) {
    const { cards, next, notes } = await readPage(list.next);
    list.cards.push(...cards);
    list.next = next;
    if (notes) list.notes = notes;
    list.pageCount++;
  }
  return list;
}

const CURSOR =
  /^((?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-](?:0\d|1[0-4]):\d\d))~([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

export function cursorOf({ created_at, id }: { created_at: string; id: string }): string {
  return `${created_at}~${id}`;
}

/** Parses the cursor in a list's URL. Returns null for one that PostgreSQL would reject. */
export function parseCursor(value: string | null | undefined): { createdAt: string; id: string } | null {
  const [, createdAt = "", id] = CURSOR.exec(value ?? "") ?? [];
  const day = createdAt.slice(0, 10);
  // Compare the days, because `Date` turns 30 February into a day in March.
  const isTime = !Number.isNaN(Date.parse(createdAt)) && new Date(day).toISOString().startsWith(day);
  return id && isTime ? { createdAt, id } : null;
}
