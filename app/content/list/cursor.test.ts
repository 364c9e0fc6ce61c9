import { expect, test } from "vitest";
import { cursorOf, parseCursor } from "./cursor.ts";

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
