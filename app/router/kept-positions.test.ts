import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { dropPosition, keepPosition, keptPosition } from "./kept-positions.ts";

const stored = new Map<string, string>();

beforeEach(() => {
  stored.clear();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
});
afterEach(() => vi.unstubAllGlobals());

test("leaving a history entry again replaces its position", () => {
  keepPosition("list", { href: "/articles/one", cardId: "one", cardTop: 10 });
  keepPosition("list", { cardId: "two", cardTop: -20 });
  expect(keptPosition("list")).toEqual({ cardId: "two", cardTop: -20 });
});

test("an entry that is shown again has no position, so a reload doesn't return to a card opened earlier", () => {
  keepPosition("list", { cardId: "one", cardTop: 10 });
  keepPosition("other", { cardId: "two", cardTop: 10 });
  dropPosition("list");
  expect(keptPosition("list")).toBeUndefined();
  expect(keptPosition("other")).toBeDefined();
});

test("the positions of the 50 entries left last are kept", () => {
  for (let entry = 0; entry < 60; entry++) keepPosition(`entry ${entry}`, { cardTop: entry });
  keepPosition("entry 10", { cardTop: 1_000 });
  keepPosition("last", { cardTop: 2_000 });
  expect(keptPosition("entry 9")).toBeUndefined();
  expect(keptPosition("entry 10")).toEqual({ cardTop: 1_000 });
  expect(keptPosition("entry 11")).toBeUndefined();
  expect(keptPosition("entry 12")).toBeDefined();
  expect(Object.keys(JSON.parse([...stored.values()][0] ?? ""))).toHaveLength(50);
});

test("unreadable or missing storage counts as no position", () => {
  stored.set("techfolio.kept-positions", "{");
  expect(keptPosition("list")).toBeUndefined();
  vi.stubGlobal("sessionStorage", undefined);
  keepPosition("list", { cardTop: 1 });
  dropPosition("list");
  expect(keptPosition("list")).toBeUndefined();
});
