import { expect, test } from "vitest";
import type { UsefulLink } from "../../data/schema.ts";
import { cursorOf } from "./cursor.ts";
import { joinPages, type ListCard, type ListPage, listQuery, MOST_CARDS, pageOf } from "./page.ts";

const cardAt = (place: number) =>
  ({
    item: { id: `${place}`.padStart(36, "0"), created_at: "2026-03-01T00:00:00+00:00" },
    version: `${place}`,
  }) as ListCard<UsefulLink>;
const cardsFrom = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => cardAt(from + i));
const cursorAt = (place: number) => cursorOf(cardAt(place).item);

/** The cards from one place up to another in a list of a thousand. */
const pageFrom = (from: number, to: number): ListPage<UsefulLink> => ({
  cards: cardsFrom(from, to),
  previous: from > 0 ? cursorAt(from - 1) : null,
  next: to < 1_000 ? cursorAt(to - 1) : null,
});

test("a list that is here whole is read in pages from either side of a cursor", () => {
  const cards = cardsFrom(0, 1_000);
  expect(pageOf(cards, { size: 60 })).toEqual(pageFrom(0, 60));
  expect(pageOf(cards, { after: cursorAt(59), size: 24 })).toEqual(pageFrom(60, 84));
  expect(pageOf(cards, { after: cursorAt(989), size: 24 })).toEqual(pageFrom(990, 1_000));
  expect(pageOf(cards, { before: cursorAt(60), size: 24 })).toEqual(pageFrom(36, 60));
  expect(pageOf(cards, { before: cursorAt(10), size: 24 })).toEqual(pageFrom(0, 10));
  expect(pageOf([], { size: 60 })).toEqual({ cards: [], previous: null, next: null });
});

test("a cursor whose item was deleted finds no page", () => {
  expect(pageOf(cardsFrom(0, 10), { after: cursorAt(10), size: 24 })).toBeNull();
});

test("a page that is added to a short list makes it longer", () => {
  expect(joinPages(pageFrom(24, 48), pageFrom(48, 72), "end")).toEqual(pageFrom(24, 72));
  expect(joinPages(pageFrom(0, 24), pageFrom(24, 48), "start")).toEqual(pageFrom(0, 48));
  expect(joinPages(pageFrom(0, 24), pageFrom(24, 1_000), "start").cards).toHaveLength(MOST_CARDS);
});

test("a page that is added to a list at its limit pushes the other end out", () => {
  expect(joinPages(pageFrom(100, 700), pageFrom(700, 724), "end")).toEqual(pageFrom(124, 724));
  expect(joinPages(pageFrom(76, 100), pageFrom(100, 700), "start")).toEqual(pageFrom(76, 676));
});

test("a question to the server names the search, the place and what is known already", () => {
  const search = { text: "a&b", author: "", sort: "asc" } as const;
  expect(listQuery({ search, after: "c~d", size: 24 })).toBe("q=a%26b&sort=asc&after=c%7Ed&size=24");
  expect(listQuery({ all: true, have: ["abcde", "fghij"] })).toBe("all=true&have=abcdefghij");
  // More than an address holds: the answer carries every card.
  expect(listQuery({ all: true, have: Array(1_001).fill("abcde") })).toBe("all=true");
});
