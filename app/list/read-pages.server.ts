import { type ListPage, MAX_PAGES } from "./list-page.ts";

/** Stops reading pages when the JSON of their cards has this many characters, even if the URL asks for more. */
const MAX_CHARACTERS = 1_000_000;

export interface OnePage<Card> {
  cards: Card[];
  next: string | null;
}

/** Reads the page after a cursor. The URL parameter `pages` can ask for more than one page. */
export async function readPages<Card>(
  after: string | null,
  pages: string | null,
  readPage: (after: string | null) => Promise<OnePage<Card>>,
): Promise<ListPage<Card>> {
  const requested = Math.min(Number.parseInt(pages ?? "1", 10) || 1, MAX_PAGES);
  const list: ListPage<Card> = { ...(await readPage(after)), after, pages: 1 };
  while (list.pages < requested && list.next && JSON.stringify(list.cards).length < MAX_CHARACTERS) {
    const { cards, next } = await readPage(list.next);
    list.cards.push(...cards);
    list.next = next;
    list.pages++;
  }
  return list;
}
