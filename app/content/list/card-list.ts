import type { ContentRow } from "../../data/content-reads.ts";
import type { CardData } from "../kind.ts";

/** A list of cards as it is shown: all of it there, or only what has come into view so far. */
export interface CardList<Row extends ContentRow> {
  count: number;
  /** Whether every card is there. */
  isWhole: boolean;
  /** Returns the card at a place, or nothing while it is on its way. */
  at(index: number): CardData<Row> | undefined;
  /** Says that these places, the second excluded, are in view or close to it. */
  want(from: number, to: number): void;
  /** Returns the place of an item, or null when the list does not hold it. */
  placeOf(id: string): Promise<number | null>;
  /** Takes whom to call when more of it has become known, returns how to end that. */
  subscribe(changed: () => void): () => void;
  /** Changes with everything that becomes known. */
  version(): number;
}

/** Takes cards in order, returns them as a list that needs nothing more. */
export function wholeList<Row extends ContentRow>(cards: CardData<Row>[]): CardList<Row> {
  return {
    count: cards.length,
    isWhole: true,
    at: (index) => cards[index],
    want: () => undefined,
    placeOf: (id) => {
      const place = cards.findIndex(({ item }) => item.id === id);
      return Promise.resolve(place === -1 ? null : place);
    },
    subscribe: () => () => undefined,
    version: () => 0,
  };
}
