import { expect, test } from "vitest";
import { cursorOf, parseCursor } from "./cursor.ts";
import { listQuery } from "./page.ts";

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
])("%j is no cursor", (value) => expect(parseCursor(value)).toBeNull());

test("a request says nothing of what it leaves open", () => {
  expect(listQuery({ search: { text: "", author: "", sort: "desc" }, after: null, have: [] })).toBe("");
  expect(
    listQuery({ search: { text: "a b", author: "", sort: "asc" }, size: 3, have: ["aaaaa", "bbbbb"] }),
  ).toBe("q=a+b&sort=asc&size=3&have=aaaaabbbbb");
});

test("a browser that holds more cards than an address can name asks for all of them", () => {
  expect(listQuery({ all: true, have: Array.from({ length: 1_001 }, () => "aaaaa") })).toBe("all=true");
});
