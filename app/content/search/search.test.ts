import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Authored } from "../../data/schema.ts";
import { EVERYTHING, foldCase, formatSearch, parseSearch, type Search, searchCards } from "./search.ts";

interface Note {
  id: string;
  created_at: string;
  title: string;
  body: string | null;
  hidden: string;
}

const FIELDS = ["title", "body"] as const;

/** Letters whose cases are a trap, so that short random texts meet each other often. */
const letter = fc.constantFrom(..."aAbBéÉßẞİIıiσςΣκΚ😀🏳️‍🌈%_\\'\" ");
const word = fc.string({ unit: letter, maxLength: 4 });
const anyText = fc.oneof(word, fc.string({ unit: "binary", maxLength: 8 }));

/** PostgreSQL's own way to write a time: the fraction without trailing zeros, or none at all. */
const time = fc.integer({ min: 0, max: 3_000_000 }).map((microseconds) => {
  const seconds = String(Math.floor(microseconds / 1e6)).padStart(2, "0");
  const fraction = String(microseconds % 1e6)
    .padStart(6, "0")
    .replace(/0+$/, "");
  return `2026-01-01T00:00:${seconds}${fraction && `.${fraction}`}+00:00`;
});

const author = fc.record({ username: fc.option(word), full_name: fc.option(word) });
const note: fc.Arbitrary<Authored<Note>> = fc.record({
  id: fc.uuid(),
  created_at: time,
  title: anyText,
  body: fc.option(anyText),
  hidden: anyText,
  profiles: author,
});
const notes = fc.uniqueArray(note, { selector: ({ id }) => id, maxLength: 12 });
const search: fc.Arbitrary<Search> = fc.record({
  text: anyText,
  author: word,
  sort: fc.constantFrom("asc", "desc"),
});

const find = (items: readonly Authored<Note>[], looked: Search) =>
  searchCards(Object.freeze(items.map((item) => ({ item }))), FIELDS, looked).map(({ item }) => item);

const aNote = (change: Partial<Authored<Note>> = {}): Authored<Note> => ({
  id: "00000000-0000-4000-8000-000000000001",
  created_at: "2026-01-01T00:00:00+00:00",
  title: "",
  body: null,
  hidden: "",
  profiles: { username: null, full_name: null },
  ...change,
});

describe("searchCards", () => {
  test("finds nothing but what was there, each item once", () => {
    fc.assert(
      fc.property(notes, search, (items, looked) => {
        const found = find(items, looked);
        expect(new Set(found).size).toBe(found.length);
        for (const item of found) expect(items).toContain(item);
      }),
    );
  });

  test("searching the result again changes nothing", () => {
    fc.assert(
      fc.property(notes, search, (items, looked) => {
        const found = find(items, looked);
        expect(find(found, looked)).toEqual(found);
      }),
    );
  });

  test("text and author combine with AND", () => {
    fc.assert(
      fc.property(notes, search, (items, looked) => {
        const byText = new Set(find(items, { ...looked, author: "" }));
        const byAuthor = new Set(find(items, { ...looked, text: "" }));
        const both = items.filter((item) => byText.has(item) && byAuthor.has(item));
        expect(new Set(find(items, looked))).toEqual(new Set(both));
      }),
    );
  });

  test("what is left out matches in no field", () => {
    fc.assert(
      fc.property(notes, anyText, (items, text) => {
        const found = new Set(find(items, { ...EVERYTHING, text }));
        for (const item of items) {
          const isMatch = FIELDS.some((field) => foldCase(item[field] ?? "").includes(foldCase(text)));
          expect(found.has(item)).toBe(isMatch || text === "");
        }
      }),
    );
  });

  test("the case of what is typed makes no difference", () => {
    // The sharp s and the dotted and dotless i have no other case of one letter in every language.
    const plain = fc.string({ unit: fc.constantFrom(..."aAbBéÉσΣκΚ😀% "), maxLength: 4 });
    fc.assert(
      fc.property(notes, plain, (items, text) => {
        const found = find(items, { ...EVERYTHING, text });
        expect(find(items, { ...EVERYTHING, text: text.toUpperCase() })).toEqual(found);
        expect(find(items, { ...EVERYTHING, text: text.toLowerCase() })).toEqual(found);
      }),
    );
  });

  test("empty texts find everything", () => {
    fc.assert(
      fc.property(notes, (items) => {
        expect(new Set(find(items, EVERYTHING))).toEqual(new Set(items));
      }),
    );
  });

  test("orders by the instant of creation, whatever order the list came in", () => {
    const microseconds = ({ created_at }: Note) => {
      const [, seconds, fraction = ""] = /:(\d\d)(?:\.(\d+))?\+/.exec(created_at) ?? [];
      return Number(seconds) * 1e6 + Number(fraction.padEnd(6, "0"));
    };
    const shuffled = notes.chain((items) =>
      fc.tuple(
        fc.constant(items),
        fc.shuffledSubarray(items, { minLength: items.length, maxLength: items.length }),
      ),
    );
    fc.assert(
      fc.property(shuffled, fc.constantFrom<Search["sort"]>("asc", "desc"), ([items, others], sort) => {
        const found = find(items, { ...EVERYTHING, sort });
        const times = found.map(microseconds);
        const sorted = [...times].sort((a, b) => (sort === "asc" ? a - b : b - a));
        expect(times).toEqual(sorted);
        expect(find(others, { ...EVERYTHING, sort })).toEqual(found);
      }),
    );
  });

  test.each([
    ["É", "CAFÉ au lait"],
    ["é", "CAFÉ"],
    ["CAFÉ", "un café"],
    ["ß", "STRAẞE"],
    ["STRAẞE", "Straße"],
    ["istanbul", "İstanbul"],
    ["İSTANBUL", "istanbul"],
    ["οδυσσευς", "ΟΔΥΣΣΕΥΣ"],
    ["ΟΔΥΣΣΕΥΣ", "Οδυσσευς"],
    ["οδοσ", "ΟΔΟΣ ΤΗΣ"],
    ["ΤΗΣ Ο", "της οδου"],
    ["ЖУК", "жук"],
    ["😀", "smile 😀 please"],
    ["100%", "a 100% sure"],
    ["_", "snake_case"],
    ["\\", "C:\\Temp"],
    ["'; drop", "x'; DROP table"],
    [" ", "two words"],
  ])("%j is in %j", (text, title) => {
    expect(find([aNote({ title })], { ...EVERYTHING, text })).toHaveLength(1);
  });

  test.each([
    ["%", "all"],
    ["_", "all"],
    ["a.l", "all"],
    ["strasse", "Straße"],
    ["cafe", "Café"],
    ["😁", "😀"],
    ["two  words", "two words"],
    ["all ", "all"],
  ])("%j is not in %j", (text, title) => {
    expect(find([aNote({ title })], { ...EVERYTHING, text })).toHaveLength(0);
  });

  test("looks at the named fields and at no other", () => {
    const items = [aNote({ body: "in the body", hidden: "in the cellar" })];
    expect(find(items, { ...EVERYTHING, text: "body" })).toHaveLength(1);
    expect(find(items, { ...EVERYTHING, text: "cellar" })).toHaveLength(0);
  });

  test("an author is found by full name and by username, an item without one by neither", () => {
    const profiles = { username: "grace", full_name: "Rear Admiral Hopper" };
    const items = [aNote({ profiles }), aNote({ id: "00000000-0000-4000-8000-000000000002" })];
    for (const name of ["GRACE", "admiral", "l h"]) {
      expect(find(items, { ...EVERYTHING, author: name }).map(({ id }) => id)).toEqual([aNote().id]);
    }
    expect(find(items, { ...EVERYTHING, author: "grace rear" })).toHaveLength(0);
  });
});

describe("foldCase", () => {
  test("a folded text is as long as the text, so that a hit is found at the same place in both", () => {
    for (let code = 0; code <= 0x10_ffff; code++) {
      const character = String.fromCodePoint(code);
      if (foldCase(character).length !== character.length) expect.fail(`U+${code.toString(16)}`);
    }
  });

  test("folds every letter by itself, whatever stands beside it", () => {
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        expect(foldCase(a + b)).toBe(foldCase(a) + foldCase(b));
      }),
    );
  });

  test("folding twice changes nothing", () => {
    fc.assert(fc.property(anyText, (text) => foldCase(foldCase(text)) === foldCase(text)));
  });

  test("finds all that JavaScript's own lower case finds, except behind a dotted capital I", () => {
    const undotted = fc.string({ unit: fc.constantFrom(..."aAéÉßẞıiσςΣ "), maxLength: 6 });
    fc.assert(
      fc.property(undotted, undotted, (text, part) => {
        fc.pre(text.toLowerCase().includes(part.toLowerCase()));
        expect(foldCase(text)).toContain(foldCase(part));
      }),
    );
  });
});

describe("the search in the address", () => {
  test("is read back as it was written", () => {
    const wellFormed = fc.string({ unit: "binary", maxLength: 12 }).map((text) => text.replaceAll("\0", ""));
    fc.assert(
      fc.property(
        fc.record({ text: wellFormed, author: wellFormed, sort: fc.constantFrom("asc", "desc") }),
        (looked) => {
          const address = new URL(`http://techfolio.test/articles${formatSearch(looked)}`);
          expect(parseSearch(address.searchParams)).toEqual(looked);
          expect(address.hash).toBe("");
        },
      ),
    );
  });

  test("the default search has no query", () => {
    expect(formatSearch(EVERYTHING)).toBe("");
  });

  test.each([
    "",
    "?",
    "?sort=",
    "?sort=ASC",
    "?sort=newest",
    "?sort=desc&page=2",
    "?Q=x",
    "?q=%00&author=%00",
  ])("%j is the default search", (query) => {
    expect(parseSearch(new URLSearchParams(query))).toEqual(EVERYTHING);
  });
});
