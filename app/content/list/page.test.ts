import { expect, test } from "vitest";
import {
  cursorOf,
  extendPage,
  type ListCard,
  type ListPage,
  MOST_CARDS,
  pageOf,
  parseCursor,
} from "./page.ts";

const cardAt = (place: number) =>
  ({
    item: { id: `${place}`.padStart(36, "0"), created_at: "2026-03-01T00:00:00+00:00" },
    version: `${place}`,
  }) as ListCard;
const cardsFrom = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => cardAt(from + i));
const cursorAt = (place: number) => cursorOf(cardAt(place).item);

/** The cards from one place up to another in a list of a thousand. */
const pageFrom = (from: number, to: number): ListPage => ({
  cards: cardsFrom(from, to),
  previous: from > 0 ? cursorAt(from - 1) : null,
  next: to < 1_000 ? cursorAt(to - 1) : null,
});

test("a list that is here whole is read in pages from either side of a cursor", () => {
  const cards = cardsFrom(0, 1_000);
  const found = (page: ListPage) => ({ ...page, total: 1_000 });
  expect(pageOf(cards, {})).toEqual(found(pageFrom(0, 60)));
  expect(pageOf(cards, { after: cursorAt(59), size: 24 })).toEqual(found(pageFrom(60, 84)));
  expect(pageOf(cards, { after: cursorAt(989), size: 24 })).toEqual(found(pageFrom(990, 1_000)));
  expect(pageOf(cards, { before: cursorAt(60), size: 24 })).toEqual(found(pageFrom(36, 60)));
  expect(pageOf(cards, { before: cursorAt(10), size: 24 })).toEqual(found(pageFrom(0, 10)));
  expect(pageOf([], {})).toEqual({ cards: [], previous: null, next: null, total: 0 });
});

test("a cursor whose item was deleted finds no page", () => {
  expect(pageOf(cardsFrom(0, 10), { after: cursorAt(10), size: 24 })).toBeNull();
});

test("a list goes on behind its last card and before its first", () => {
  const list = pageFrom(24, 48);
  const cards = cardsFrom(0, 1_000);
  for (const [end, place, whole] of [
    ["end", { after: list.next }, pageFrom(24, 72)],
    ["start", { before: cursorAt(24) }, pageFrom(0, 48)],
  ] as const) {
    const page = pageOf(cards, { ...place, size: 24 });
    expect(page && extendPage(list, page, end)).toEqual(whole);
  }
});

test("a page that is added to a short list makes it longer", () => {
  expect(extendPage(pageFrom(24, 48), pageFrom(48, 72), "end")).toEqual(pageFrom(24, 72));
  expect(extendPage(pageFrom(24, 48), pageFrom(0, 24), "start")).toEqual(pageFrom(0, 48));
  expect(extendPage(pageFrom(24, 1_000), pageFrom(0, 24), "start").cards).toHaveLength(MOST_CARDS);
});

test("a page that is added to a list at its limit pushes the other end out", () => {
  expect(extendPage(pageFrom(100, 700), pageFrom(700, 724), "end")).toEqual(pageFrom(124, 724));
  expect(extendPage(pageFrom(100, 700), pageFrom(76, 100), "start")).toEqual(pageFrom(76, 676));
});

const id = "0f0e8400-e29b-41d4-a716-446655440000";

test("a cursor is read back as it was written", () => {
  const created_at = "2026-01-01T12:00:00.123456+00:00";
  expect(parseCursor(cursorOf({ created_at, id }))).toEqual({ createdAt: created_at, id });
});

test.each([
  null,
  "",
  "yesterday",
  `yesterday~${id}`,
  "2026-01-01T00:00:00Z~nobody",
  `2026-01-01T00:00:00Z~${id}'`,
  `2026-13-45T00:00:00Z~${id}`,
  `2026-02-30T00:00:00Z~${id}`,
  `2026-01-01T25:00:00Z~${id}`,
  `2026-01-01T00:00:00+99:99~${id}`,
  `2026-01-01T00:00:00+14:99~${id}`,
  `0000-01-01T00:00:00Z~${id}`,
])("%j is no cursor", (value) => expect(parseCursor(value)).toBeNull());
