import { expect, test } from "vitest";
import { stylesFor } from "./styles.server.ts";

/** The rules of a sheet that go into a document with a paragraph of these classes. */
const stylesOf = (sheet: string, ...classes: string[]) =>
  stylesFor(sheet)(`<html><p dir="auto" class="${classes.join(" ")}">`);

test.each([
  ["p{margin:0}", "an element"],
  ["[data-target]>p{margin:0}", "an attribute"],
  ["p:not(.a){margin:0}", "a class that must be missing"],
  [":is(.a,article) p{margin:0}", "a class that is one of several"],
  ["p:nth-child(n+5){margin:0}", "a position"],
  ["p,.a{margin:0}", "another selector of the rule"],
  ["@font-face{font-family:A;src:url(/a)}", "a font"],
  ["@keyframes appear{from{opacity:0}}", "an animation"],
  ['@property --a{syntax:"*";inherits:false}', "a property"],
])("%s is there without a class, because of %s", (rule) => {
  expect(stylesOf(rule)).toBe(rule);
});

test.each([
  [".a{margin:0}", ["a"]],
  [".a .b{margin:0}", ["a", "b"]],
  [".a,.b{margin:0}", ["b"]],
  [".a:hover:before{margin:0}", ["a"]],
  [":where(.a>:not(:last-child)){margin:0}", ["a"]],
  ["html:has(.a){margin:0}", ["a"]],
  [".sm\\:p-0\\.5{margin:0}", ["sm:p-0.5"]],
  [".\\32xl{margin:0}", ["2xl"]],
  ["table,.a{margin:0}", ["a"]],
])("%s is there with its classes only", (rule, classes) => {
  expect(stylesOf(rule, "other", ...classes)).toBe(rule);
  for (const missing of classes) {
    const others = classes.filter((name) => name !== missing);
    expect(stylesOf(rule, "other", ...others)).toBe("");
  }
});

test("a rule for tags that do not occur is left out", () => {
  expect(stylesOf("table{margin:0}p>a{margin:0}:where(h1){margin:0}")).toBe("");
});

test("groups keep their order, and what is needed in them", () => {
  const sheet =
    "@layer one,two;@layer two{.a{margin:0}@media print{.b{margin:0}.c{margin:0}}}@layer one{p{margin:1px}}";
  expect(stylesOf(sheet, "c")).toBe(
    "@layer one,two;@layer two{@media print{.c{margin:0}}}@layer one{p{margin:1px}}",
  );
  expect(stylesOf(sheet)).toBe("@layer one,two;@layer two{@media print{}}@layer one{p{margin:1px}}");
});
