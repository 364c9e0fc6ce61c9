import { expect, test } from "vitest";
import { hasInvisible, trimInvisible, withoutInvisible } from "./pasted-text.ts";

test("marks of direction and width are removed, and joiners inside words stay", () => {
  expect(withoutInvisible("\ufeff\u202aada@\u200bexample.com\u202c")).toBe("ada@example.com");
  expect(withoutInvisible("می\u200cخواهم 👩\u200d💻")).toBe("می\u200cخواهم 👩\u200d💻");
});

test("blanks and invisible characters at both ends are removed", () => {
  expect(trimInvisible("\u200b ada.l \u00a0\u200d")).toBe("ada.l");
  expect(trimInvisible("a b")).toBe("a b");
});

test("an invisible character inside a text is found", () => {
  for (const text of ["a\u200bb", "a\u0007", "\u200d"]) expect(hasInvisible(text)).toBe(true);
  expect(hasInvisible("ada l\u00e9")).toBe(false);
});
