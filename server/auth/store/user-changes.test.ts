import { describe, expect, test } from "vitest";
import { banEnd } from "./user-changes.ts";

const now = new Date("2026-01-01T00:00:00Z");

describe("banEnd", () => {
  test.each([
    ["24h", "2026-01-02T00:00:00.000Z"],
    ["1h30m", "2026-01-01T01:30:00.000Z"],
    ["1.5h", "2026-01-01T01:30:00.000Z"],
    ["90s500ms", "2026-01-01T00:01:30.500Z"],
    ["999999999h", "2125-12-08T00:00:00.000Z"],
  ])("%s from new year on ends at %s", (duration, end) => {
    expect(banEnd(duration, now)?.toISOString()).toBe(end);
  });

  test("says nothing, or that there is none", () => {
    expect(banEnd("", now)).toBeUndefined();
    expect(banEnd("none", now)).toBeNull();
  });

  test.each(["forever", "1", "1d", "-1h", "h", "1h;", "1e9h", "NaNh"])("%s is refused", (duration) => {
    expect(() => banEnd(duration, now)).toThrowError(expect.objectContaining({ status: 400 }));
  });
});
