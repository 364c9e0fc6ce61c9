import type { ContentRow, ContentTable, Position } from "../../data/content-reads.ts";
import type { CardData } from "../kind.ts";
import type { Search } from "../search.ts";
import { type ListRequest, listAddress } from "./address.ts";
import type { CardList } from "./card-list.ts";
import { type Place, STRETCH, type Stretch } from "./stretch.ts";

/** Stretches kept in memory; what was left behind longer ago is fetched again when it comes back into view. */
const KEPT_STRETCHES = 30;
/** How long a search stands before its matches are counted (milliseconds): while one types, nobody needs the number. */
const COUNT_AFTER = 400;

/** Takes a table and a request, returns the answer. Throws when the server does not give one. */
export async function askList<Answer>(
  table: ContentTable,
  request: ListRequest,
  signal?: AbortSignal,
): Promise<Answer> {
  const response = await fetch(listAddress(table, request), { signal: signal ?? null });
  if (!response.ok) throw new Error(`The list cannot be read: ${response.status}`);
  return response.json();
}

/**
 * A list that is too long to be fetched whole. It fetches the stretches that are wanted: by the item before them
 * where that is known, else by their number. A failed fetch leaves a gap that is asked for again when wanted again.
 */
export class RemoteList<Row extends ContentRow> implements CardList<Row> {
  count: number;
  readonly isWhole: boolean;
  readonly #table: ContentTable;
  readonly #search: Search;
  readonly #listeners = new Set<() => void>();
  #version = 0;
  readonly #abort = new AbortController();
  #counting: ReturnType<typeof setTimeout> | undefined;
  readonly #stretches = new Map<number, CardData<Row>[]>();
  readonly #onTheWay = new Set<number>();
  /** The item before each stretch that has been reached from the one before it. */
  readonly #starts = new Map<number, Position>();

  /** Takes table, search and its first stretch. */
  constructor(table: ContentTable, search: Search, first: Stretch<Row>) {
    this.#table = table;
    this.#search = search;
    this.count = first.cards.length + (first.next ? STRETCH : 0);
    this.isWhole = first.next === null;
    this.#keep(0, first);
    if (first.next) this.#counting = setTimeout(() => void this.#countAll(), COUNT_AFTER);
  }

  readonly subscribe = (changed: () => void): (() => void) => {
    this.#listeners.add(changed);
    return () => void this.#listeners.delete(changed);
  };

  readonly version = (): number => this.#version;

  at(index: number): CardData<Row> | undefined {
    return this.#stretches.get(Math.floor(index / STRETCH))?.[index % STRETCH];
  }

  want(from: number, to: number): void {
    const last = Math.floor((Math.min(to, this.count) - 1) / STRETCH);
    for (let number = Math.floor(from / STRETCH); number <= last; number++) {
      if (this.#stretches.has(number)) this.#touch(number);
      else void this.#fetch(number);
    }
  }

  async placeOf(id: string): Promise<number | null> {
    const request = { ask: "place", search: this.#search, id } as const;
    const { found } = await askList<{ found: Place | null }>(this.#table, request, this.#abort.signal);
    if (!found) return null;
    this.count = Math.max(found.count, this.#knownEnd());
    return found.place;
  }

  /** Ends what is under way: another search has taken this one's place. */
  close(): void {
    clearTimeout(this.#counting);
    this.#abort.abort();
  }

  async #countAll(): Promise<void> {
    try {
      const request = { ask: "count", search: this.#search } as const;
      const { count } = await askList<{ count: number }>(this.#table, request, this.#abort.signal);
      this.count = Math.max(count, this.#knownEnd());
      this.#changed();
    } catch {
      // Without the number the list still grows as it is read.
    }
  }

  async #fetch(number: number): Promise<void> {
    if (this.#onTheWay.has(number)) return;
    this.#onTheWay.add(number);
    try {
      const after = this.#starts.get(number) ?? null;
      const request = { ask: "stretch", search: this.#search, after, offset: number * STRETCH } as const;
      this.#keep(number, await askList<Stretch<Row>>(this.#table, request, this.#abort.signal));
      this.#changed();
    } catch {
      // Specification §8: a failed load shows nothing.
    } finally {
      this.#onTheWay.delete(number);
    }
  }

  #changed(): void {
    this.#version++;
    for (const changed of this.#listeners) changed();
  }

  #keep(number: number, { cards, next }: Stretch<Row>): void {
    this.#stretches.set(number, cards);
    if (next) this.#starts.set(number + 1, next);
    else this.count = number * STRETCH + cards.length;
    this.count = Math.max(this.count, this.#knownEnd());
    for (const oldest of this.#stretches.keys()) {
      if (this.#stretches.size <= KEPT_STRETCHES) break;
      this.#stretches.delete(oldest);
    }
  }

  #touch(number: number): void {
    const cards = this.#stretches.get(number);
    if (!cards) return;
    this.#stretches.delete(number);
    this.#stretches.set(number, cards);
  }

  #knownEnd(): number {
    let end = 0;
    for (const [number, cards] of this.#stretches) end = Math.max(end, number * STRETCH + cards.length);
    return end;
  }
}
