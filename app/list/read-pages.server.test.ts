import { expect, test } from "vitest";
import { cursorOf, parseCursor } from "./read-pages.server.ts";

const id = "00000000-0000-4000-8000-00000000000a";

test.each(["2026-03-05T12:00:00Z", "2026-03-05T12:00:00.123456+00:00", "2024-02-29T23:59:59+14:00"])(
  "the cursor of an item created at %s can be parsed",
  (created_at) => {
    expect(parseCursor(cursorOf({ created_at, id }))).toEqual({ createdAt: created_at, id });
  },
);

test.each([
  null,
  "",
  "yesterday",
  id,
  `2026-02-30T12:00:00Z~${id}`,
  `2026-13-01T12:00:00Z~${id}`,
  `0000-01-01T12:00:00Z~${id}`,
  `2026-03-05T12:00:00+15:00~${id}`,
  `2026-03-05T12:00:00Z~${id}'`,
])("parsing the invalid cursor %j returns null", (cursor) => {
  expect(parseCursor(cursor)).toBeNull();
});
