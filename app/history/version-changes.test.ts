import { expect, test } from "vitest";
import { articles } from "../../common/kinds/articles.ts";
import type { FormValues, KindDefinition } from "../../common/kinds/kind-definition.ts";
import { sampleCode } from "../../common/kinds/sample-code.ts";
import { changesBetween, describeChanges } from "./version-changes.ts";

const ARTICLE = { title: "Joins", content: "One two three.\n\nFour five six.", published: false };
const SAMPLE = { title: "Retry", description: "Waits", code_content: "a = 1\nb = 2\n", language: "python" };

function describe(kind: unknown, before: FormValues, part: object, timeout?: number): string {
  return describeChanges(changesBetween(kind as KindDefinition, before, { ...before, ...part }, timeout));
}

test.each([
  [{ content: "One two three.\n\nFour 5 six seven." }, "+2 −1 words"],
  [{ content: "One two three.\n\nGrüße.\n\nFour five six." }, "+1 −0 words"],
  [{ content: "One two three!\n\nFour five six." }, "+0 −0 words"],
  [{ title: "Left joins" }, "title was “Joins”"],
  [{ published: true }, "changed: state"],
  [{ title: "Left joins", content: "", published: true }, "+0 −6 words · changed: state · title was “Joins”"],
])("a save that changes an article to %j is described as %j", (part, text) => {
  expect(describe(articles, ARTICLE, part)).toBe(text);
});

test("the lines of code are counted, and the words of a description", () => {
  const part = { code_content: "a = 1\nb = 3\nc = 4\n", description: "Waits longer", language: "sql" };
  expect(describe(sampleCode, SAMPLE, part)).toBe("+1 −0 words · +2 −1 lines · changed: language");
});

test("a comparison that takes too long counts the words that only one of the texts has", () => {
  const words = (prefix: string) =>
    Array.from({ length: 3_000 }, (_, index) => `${prefix}${index}`).join(" ");
  const before = { ...ARTICLE, content: `${words("a")} same` };
  expect(describe(articles, before, { content: `${words("b")} same more` }, 0)).toBe("+3001 −3000 words");
});
