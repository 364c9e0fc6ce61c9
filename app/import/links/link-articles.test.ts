import { expect, test } from "vitest";
import { ADA, NOTHING_STORED, read, rowsToWrite, siteWith } from "../../../tests/support/imports.ts";
import { zipTexts } from "../../portability/export/archive.ts";
import { planRows } from "../plan.ts";

async function folder(files: Record<string, string>): Promise<File> {
  return new File(
    [await zipTexts(Object.entries(files).map(([path, text]) => ({ path, text })))],
    "blog.zip",
  );
}

async function contentOf(files: Record<string, string>) {
  const content = await read(await folder(files));
  const rows = rowsToWrite(content, NOTHING_STORED, ADA);
  const [{ row } = { row: {} as Record<string, unknown> }] = rows;
  const target = rows.find(({ row: { title } }) => title === "Learning dbt")?.row;
  const address = `/articles/learning-dbt-${String(target?.["id"]).slice(-12)}`;
  return { text: row["content"], address, notes: content.items[0]?.notes, content, rows };
}

const DBT = "---\ntitle: Learning dbt\n---\nText";

test.each<[link: string, path: string]>([
  ["[dbt](../old/dbt.md)", "old/dbt.md"],
  ["[dbt](../old/dbt)", "old/dbt.md"],
  ["[dbt](<../old/dbt.md>)", "old/dbt.md"],
  ["[dbt](../old/DBT.md)", "old/dbt.md"],
  ["[dbt](../old/my%20dbt.md)", "old/my dbt.md"],
  ["[dbt](../dbt/)", "new/dbt/index.md"],
  ["[dbt](/old/dbt/)", "old/dbt.md"],
  ["[dbt](/2020/01/05/dbt.html)", "_posts/2020-01-05-dbt.md"],
  ["[dbt](dbt.md)", "new/dbt.md"],
  ["[dbt][d]\n\n[d]: ../old/dbt.md", "old/dbt.md"],
  ['[dbt]({{< ref "dbt.md" >}})', "old/dbt.md"],
  ['[dbt]({{% relref "/old/dbt" %}})', "old/dbt.md"],
  ["[dbt]({% post_url 2020-01-05-dbt %})", "_posts/2020-01-05-dbt.md"],
  ["[dbt]({{ site.baseurl }}{% link _posts/2020-01-05-dbt.md %})", "_posts/2020-01-05-dbt.md"],
])("%s leads to the imported article at %s", async (link, path) => {
  const { text, address, notes } = await contentOf({ "new/first.md": `Before ${link}`, [path]: DBT });
  expect(text).toContain(address);
  expect(text).toMatch(/^Before \[dbt\]/);
  expect(text).not.toMatch(/\{|\.md/);
  expect(notes).toEqual([]);
});

test.each([
  ["[[Learning dbt]]", "Learning dbt"],
  ["[[Learning dbt|this one]]", "this one"],
  ["[[Notes/Learning dbt#Setup|this one]]", "this one"],
])("the wiki link %s leads to the note of the import", async (link, label) => {
  const { text, address, notes } = await contentOf({
    "Start.md": `See ${link}.`,
    "Notes/Learning dbt.md": "Text of the note",
  });
  expect(text).toBe(`See [${label}](${address}).`);
  expect(notes).toEqual([]);
});

test("in a vault of Obsidian, a wiki link to no note becomes its text", async () => {
  const { text, notes } = await contentOf({ "a.md": "See [[Other]].", ".obsidian/app.json": "{}" });
  expect(text).toBe("See Other.");
  expect(notes).toEqual(["links to no file of this import, now text: [[Other]]"]);
});

test("the fragment of a link stays", async () => {
  const { text, address } = await contentOf({ "a.md": "[x](dbt.md#setup)", "dbt.md": DBT });
  expect(text).toBe(`[x](${address}#setup)`);
});

test("a link to no file of the import stays, and the article's line names it once", async () => {
  const { text, notes } = await contentOf({
    "a.md": "[x](gone.md) [y](gone.md) [z](/2019/old-post/) [wiki](../wiki/)",
    "dbt.md": DBT,
  });
  expect(text).toBe("[x](gone.md) [y](gone.md) [z](/2019/old-post/) [wiki](../wiki/)");
  expect(notes).toEqual(["links to no file of this import: gone.md, /2019/old-post/, ../wiki/"]);
});

test.each([
  "[a](https://example.com/dbt.md)",
  "[a](//example.com/dbt.md)",
  "[a](mailto:ada@example.com)",
  "[a](#setup)",
  "[a](/articles/some-words-0123456789ab)",
  "[a](/people?q=dbt)",
  "`[a](dbt.md)`",
  "```\n[a](dbt.md)\n```",
  "\\[a](dbt.md)",
  "<!-- [a](dbt.md) -->",
  "Words about dbt.md",
])("%s stays without a note", async (source) => {
  const { text, notes } = await contentOf({ "a.md": source, "dbt.md": DBT });
  expect(text).toBe(source);
  expect(notes).toEqual([]);
});

test("a name that two articles have leads to neither", async () => {
  const { text, notes } = await contentOf({ "a.md": "[x](/dbt/)", "b/dbt.md": DBT, "c/dbt.md": "# Other" });
  expect(text).toBe("[x](/dbt/)");
  expect(notes).toEqual(["links to no file of this import: /dbt/"]);
});

test("importing the same articles again changes nothing", async () => {
  const files = { "a.md": "[x](b.md)", "b.md": `---\ntitle: Learning dbt\n---\n[back](a.md)` };
  const { rows, content } = await contentOf(files);
  const stored = siteWith(rows);
  expect(planRows(content, stored, ADA)).toMatchObject({ lines: [] });
});
