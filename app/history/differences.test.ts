import fc from "fast-check";
import { expect, test } from "vitest";
import { differencesOf, isMostlyChanged, type Part, withoutUnchanged } from "./differences.ts";

const markDifferences = (current: string, version: string, isCode = false) =>
  differencesOf(current, version, isCode)
    ?.map(
      ({ change, units }) =>
        ({ same: units.join(""), added: `[+${units.join("")}]`, removed: `[-${units.join("")}]` })[change],
    )
    .join("");

test("two versions of a text are compared by word", () => {
  expect(markDifferences("A long day", "A short day")).toBe("A [-long][+short] day");
  expect(markDifferences("Grüße aus Köln", "Grüße aus Bonn")).toBe("Grüße aus [-Köln][+Bonn]");
  expect(markDifferences("Долгий день", "Должный день")).toBe("[-Долгий][+Должный] день");
  expect(markDifferences("don't stop", "didn't stop")).toBe("[-don't][+didn't] stop");
});

test("two versions of code are compared by line", () => {
  expect(markDifferences("a = 1\nb = 2\n", "a = 1\nb = 3\n", true)).toBe("a = 1\n[-b = 2\n][+b = 3\n]");
});

test("the comparison of two long texts with nothing in common gives up and returns null", () => {
  const words = (prefix: string) =>
    Array.from({ length: 60_000 }, (_, index) => `${prefix}${index}`).join(" ");
  expect(differencesOf(words("a"), words("b"), false)).toBeNull();
});

test("a text is mostly changed if more than half of its words differ", () => {
  const isChanged = (one: string, other: string) => isMostlyChanged(differencesOf(one, other, false) ?? []);
  const words = "one two three four five six seven eight nine ten";
  expect(isChanged(words, words.replace("one two three four five", "1 2 3 4 5"))).toBe(false);
  expect(isChanged(words, words.replace("one two three four five six", "1 2 3 4 5 6"))).toBe(true);
  expect(isChanged("A short title", "Another one")).toBe(false);
});

test("unchanged text is shortened to the words or lines next to the differences", () => {
  const many = "word ".repeat(100);
  const parts = differencesOf(`${many}old ${many}`, `${many}new ${many}`, false) ?? [];
  const [before, , , after] = withoutUnchanged(parts, false);
  expect(before?.units.join("")).toBe(` … ${"word ".repeat(20)}`);
  expect(after?.units.join("")).toBe(` ${"word ".repeat(20).trim()} … `);

  const lines = Array.from({ length: 20 }, (_, index) => `line ${index}\n`).join("");
  const code = withoutUnchanged(differencesOf(`${lines}old\n`, `${lines}new\n`, true) ?? [], true);
  expect(code[0]?.units).toEqual(["…\n", "line 17\n", "line 18\n", "line 19\n"]);
});

test("the unchanged and removed parts of a comparison make up the current text, and the unchanged and added parts the earlier version", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme" }),
      fc.string({ unit: "grapheme" }),
      fc.boolean(),
      (one, other, isCode) => {
        const without = (change: Part["change"]) =>
          differencesOf(one, other, isCode)
            ?.filter((part) => part.change !== change)
            .flatMap(({ units }) => units)
            .join("");
        expect([without("added"), without("removed")]).toEqual([one, other]);
      },
    ),
  );
});
