import { type ListPage, MAX_PAGES } from "./list-page.ts";

/** The size of a response is limited, whatever the URL asks for. */
const MAX_CHARACTERS = 1_000_000;

export interface OnePage<Card> {
  cards: Card[];
  next: string | null;
}

/** Reads the page after the cursor, and as many more as the URL's `pages` says. */
export async function readPages<Card>(
  after: string | null,
  pages: string | null,
  readPage: (after: string | null) => Promise<OnePage<Card>>,
): Promise<ListPage<Card>> {
  const wanted = Math.min(Number.parseInt(pages ?? "1", 10) || 1, MAX_PAGES);
  const list: ListPage<Card> = { ...(await readPage(after)), after, pages: 1 };
  while (list.pages < wanted && list.next && JSON.stringify(list.cards).length < MAX_CHARACTERS) {
    const { cards, next } = await readPage(list.next);
    list.cards.push(...cards);
    list.next = next;
    list.pages++;
  }
  return list;
}
