import { beforeEach, expect, test, vi } from "vitest";
import { changedFields, draftStore } from "./draft-store.ts";

const EMPTY = { title: "", content: "", published: false };

/** An in-memory `localStorage`. `maxLength` limits the length of a value. */
class FakeStorage implements Storage {
  [name: string]: unknown;
  readonly #maxLength: number;
  constructor(maxLength = Number.POSITIVE_INFINITY) {
    this.#maxLength = maxLength;
  }
  get length() {
    return Object.keys(this).length;
  }
  key(index: number) {
    return Object.keys(this)[index] ?? null;
  }
  getItem(key: string) {
    return Object.hasOwn(this, key) ? String(this[key]) : null;
  }
  setItem(key: string, value: string) {
    if (value.length > this.#maxLength) throw new DOMException("full", "QuotaExceededError");
    this[key] = value;
  }
  removeItem(key: string) {
    delete this[key];
  }
  clear() {
    for (const key of Object.keys(this)) delete this[key];
  }
}

let storage: Storage;
beforeEach(() => {
  storage = new FakeStorage();
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

test("the draft store returns drafts newest first, without dropped drafts", () => {
  const store = draftStore("member", "articles", EMPTY, storage);
  vi.setSystemTime(1_000);
  store.keep({ id: "a", rowId: null, values: { ...EMPTY, title: "First" }, base: EMPTY });
  vi.setSystemTime(2_000);
  store.keep({ id: "b", rowId: "row", values: { ...EMPTY, title: "Second" }, base: null });
  expect(store.all()).toEqual([
    { id: "b", rowId: "row", values: { ...EMPTY, title: "Second" }, base: null, keptAt: 2_000 },
    { id: "a", rowId: null, values: { ...EMPTY, title: "First" }, base: EMPTY, keptAt: 1_000 },
  ]);
  store.drop("b");
  expect(store.all().map(({ id }) => id)).toEqual(["a"]);
});

test("the draft store doesn't return drafts of other members or other forms", () => {
  draftStore("one", "articles", EMPTY, storage).keep({ id: "a", rowId: null, values: EMPTY, base: EMPTY });
  expect(draftStore("other", "articles", EMPTY, storage).all()).toEqual([]);
  expect(draftStore("one", "useful_links", EMPTY, storage).all()).toEqual([]);
  expect(draftStore("one", "articles", EMPTY, storage).all()).toHaveLength(1);
});

test("a list can offer and drop the drafts of its items' own pages, but an item's page doesn't offer the list's", () => {
  const [list, item] = ["articles", "articles.7"].map((page) => draftStore("one", page, EMPTY, storage));
  item?.keep({ id: "a", rowId: "7", values: EMPTY, base: EMPTY });
  expect(list?.all()).toMatchObject([{ rowId: "7" }]);
  list?.keep({ id: "b", rowId: null, values: EMPTY, base: EMPTY });
  expect(item?.all()).toMatchObject([{ rowId: "7" }]);
  for (const { id } of list?.all() ?? []) list?.drop(id);
  expect(item?.all()).toEqual([]);
});

test("a draft from an older release keeps only fields that the form still has, with values of the same type", () => {
  const kept = { rowId: 7, values: { title: "Old", published: "yes", colour: "red" }, keptAt: 1 };
  storage.setItem("techfolio.draft.member.articles.a", JSON.stringify(kept));
  expect(draftStore("member", "articles", EMPTY, storage).all()).toEqual([
    { id: "a", rowId: null, values: { ...EMPTY, title: "Old" }, base: null, keptAt: 1 },
  ]);
});

test.each(["", "{", "null", "7", '{"keptAt":1}', '{"values":{}}', '{"keptAt":1,"values":null}'])(
  "the unreadable draft %j is ignored",
  (text) => {
    storage.setItem("techfolio.draft.member.articles.a", text);
    expect(draftStore("member", "articles", EMPTY, storage).all()).toEqual([]);
  },
);

test("keeping a draft returns false if the browser's storage is unavailable or full", () => {
  const closed = draftStore("member", "articles", EMPTY, null);
  expect(closed.keep({ id: "a", rowId: null, values: EMPTY, base: EMPTY })).toBe(false);
  closed.drop("a");
  expect(closed.all()).toEqual([]);
  const full = draftStore("member", "articles", EMPTY, new FakeStorage(10));
  expect(full.keep({ id: "a", rowId: null, values: EMPTY, base: EMPTY })).toBe(false);
  expect(full.all()).toEqual([]);
});

test("changedFields returns the fields that a member changed", () => {
  expect(changedFields(EMPTY, EMPTY)).toEqual({});
  expect(changedFields(EMPTY, { ...EMPTY, title: "New", published: true })).toEqual({
    title: "New",
    published: true,
  });
});

test("a draft that was sent keeps the new row's id and the values that were sent", () => {
  const store = draftStore("member", "articles", EMPTY, storage);
  const form = { rowId: null, values: EMPTY, base: EMPTY };
  store.keep({ ...form, id: "a", newRowId: "row", sent: { ...EMPTY, title: "Sent" } });
  expect(store.all()).toMatchObject([{ newRowId: "row", sent: { title: "Sent" } }]);
});
