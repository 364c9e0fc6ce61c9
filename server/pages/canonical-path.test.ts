import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalPath } from "./canonical-path.ts";

test.each([
  ["/%61rticles", "/articles"],
  ["/%70eople.data", "/people.data"],
  ["/articles/", "/articles"],
  ["/articles/_.data", "/articles.data"],
  ["/_.data", "/_.data"],
  ["/", "/"],
  ["//evil.example/", "/evil.example"],
  ["/%2Farticles", "/%2Farticles"],
  ["/profile/caf%C3%A9%20%41", "/profile/caf%C3%A9%20A"],
])("the canonical path of %s is %s", (path, expected) => {
  expect(canonicalPath(path)).toBe(expected);
});

test("a canonical path stays the same and never names another host", () => {
  const part = fc.constantFrom("/", "//", "%61", "%2F", "%5C", "a", "_.data", ".", "%2E");
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const canonical = canonicalPath(`/${parts.join("")}`);
      expect(canonicalPath(canonical)).toBe(canonical);
      expect(new URL(canonical, "https://site.test").host).toBe("site.test");
    }),
  );
});
