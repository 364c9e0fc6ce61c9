import { describe, expect, test } from "vitest";
import { banLength } from "./ban.ts";

describe("banLength", () => {
  test.each([
    ["24h", 86_400_000],
    ["1h30m", 5_400_000],
    ["1.5h", 5_400_000],
    ["90s500ms", 90_500],
    ["999999999h", 100 * 365 * 86_400_000],
  ])("%s is %i ms", (duration, milliseconds) => {
    expect(banLength(duration)).toBe(milliseconds);
  });

  test("says nothing, or that there is none", () => {
    expect(banLength("")).toBeUndefined();
    expect(banLength("none")).toBeNull();
  });

  test.each(["forever", "1", "1d", "-1h", "h", "1h;", "1e9h", "NaNh"])("%s is refused", (duration) => {
    expect(() => banLength(duration)).toThrowError(expect.objectContaining({ status: 400 }));
  });
});
