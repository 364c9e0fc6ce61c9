import { expect, test } from "vitest";
import { ADA, NOTHING_STORED, read, rowsToWrite } from "../../../tests/support/imports.ts";
import { zipTexts } from "../../portability/export/archive.ts";

/** Imports an article with the link and others. Returns where the link leads, and the notes on the article's line. */
async function follow(link: string, others: Record<string, string>) {
  const files = { "first.md": `Before [dbt](${link}) after`, ...others };
  const texts = Object.entries(files).map(([path, text]) => ({ path, text }));
  const content = await read(new File([await zipTexts(texts)], "blog.zip"));
  const rows = rowsToWrite(content, NOTHING_STORED, ADA).map(({ row }) => row);
  const text = String(rows.find((row) => String(row["content"]).startsWith("Before"))?.["content"]);
  const address = /^Before \[dbt\]\((.*)\) after$/.exec(text)?.[1] ?? text;
  const target = rows.find(({ id }) => address.replace(/#.*/, "").endsWith(String(id).slice(-12)));
  return {
    address,
    leadsTo: target?.["title"] ?? null,
    notes: content.items.find(({ source }) => source === "first.md")?.notes,
  };
}

const post = (fields: string, title = "Learning dbt") => `---\ntitle: ${title}\n${fields}\n---\nText`;
const OLD = "https://old-blog.example.com/2019/03/dbt/";

test.each<[fields: string, file: string, link: string]>([
  [`permalink: ${OLD}`, "a.md", OLD],
  [`permalink: ${OLD}`, "a.md", "http://www.old-blog.example.com/2019/03/dbt/index.html"],
  [`permalink: ${OLD}`, "a.md", `${OLD.slice(0, -1)}?utm_source=feed#setup`],
  [`permalink: ${OLD}`, "a.md", OLD.replace("https:", "")],
  [`canonical_url: ${OLD}`, "a.md", OLD],
  [`canonicalURL: ${OLD}`, "a.md", OLD],
  [`aliases:\n  - /x/\n  - ${OLD}`, "a.md", OLD],
  [`redirect_from: [${OLD}]`, "a.md", OLD],
  [`url: ${OLD}`, "dbt.md", OLD],
  [`link: ${OLD}\ndate: 2019-03-05`, "_posts/2019-03-05-dbt.md", OLD],
  [`link: ${OLD}\nslug: dbt`, "7.md", OLD],
  [`permalink: /2019/03/dbt/\nguid: https://old-blog.example.com/?p=12`, "a.md", OLD],
  [`guid: https://old-blog.example.com/?p=12`, "a.md", "https://old-blog.example.com/?p=12"],
  [`permalink: /2019/03/dbt/`, "a.md", "/2019/03/dbt/"],
  [`url: /2019/03/dbt.html`, "a.md", "/2019/03/dbt.html#setup"],
  [`redirect_from: /old/dbt/`, "a.md", "/old/dbt/"],
])("an article with %j in %s is found at %s", async (fields, file, link) => {
  const { leadsTo, address, notes } = await follow(link, { [file]: post(fields) });
  expect(leadsTo).toBe("Learning dbt");
  expect(address.includes("#")).toBe(link.includes("#"));
  expect(notes).toEqual([]);
});

test.each<[path: string, settings: string, link: string]>([
  ["CNAME", "old-blog.example.com\n", OLD],
  ["_config.yml", "title: Blog\nurl: https://old-blog.example.com # no slash\n", OLD],
  ["hugo.toml", 'baseURL = "https://old-blog.example.com/"\n', OLD],
  ["site/config.json", '{\n  "baseURL": "https://old-blog.example.com/"\n}', OLD],
  ["_config.yml", 'url: "https://ada.example"\nbaseurl: "/blog"\n', "https://ada.example/blog/2019/03/dbt/"],
])("the settings in %s (%j) name the site of paths in front matter", async (path, settings, link) => {
  const others = { [path]: settings, "a.md": post("permalink: /2019/03/dbt/") };
  expect((await follow(link, others)).leadsTo).toBe("Learning dbt");
});

test("on a site in the settings, file names are addresses", async () => {
  const others = { CNAME: "old.example.com", "_posts/2020-01-05-dbt.md": post("") };
  for (const path of ["/2020/01/05/dbt.html", "/dbt/", "/blog/dbt"])
    expect((await follow(`https://old.example.com${path}`, others)).leadsTo).toBe("Learning dbt");
  expect((await follow("https://old.example.com/tag/dbt/", others)).leadsTo).toBeNull();
});

test("on a site that an article's address names, a date with a name is an article's address", async () => {
  const others = {
    "one.md": post("permalink: https://old.example.com/2020/05/one/", "One"),
    "_posts/2019-03-05-dbt.md": post(""),
  };
  expect((await follow("https://old.example.com/2019/03/dbt/", others)).leadsTo).toBe("Learning dbt");
  for (const path of ["/2018/03/dbt/", "/dbt/", "/tag/dbt/", "/"])
    expect((await follow(`https://old.example.com${path}`, others)).leadsTo).toBeNull();
});

test.each<[reason: string, link: string, others: Record<string, string>]>([
  ["is another site's", "https://example.com/dbt/", { "dbt.md": post("slug: dbt") }],
  [
    "is what a link post is about",
    "https://getdbt.example/blog/learning-dbt",
    {
      "learning-dbt.md": post("link: https://getdbt.example/blog/learning-dbt"),
      "b.md": post("", "B"),
      "c.md": post("", "C"),
    },
  ],
  [
    "is what a link post with another name is about",
    "https://getdbt.example/blog",
    { "x.md": post("link: https://getdbt.example/blog") },
  ],
  [
    "has only the host of a canonical address",
    "https://medium.example/2019/03/dbt",
    {
      "dbt.md": post("date: 2019-03-05"),
      "b.md": post("canonical_url: https://medium.example/@ada/b-1", "B"),
    },
  ],
  [
    "is that of two articles",
    OLD,
    { "a.md": post(`permalink: ${OLD}`), "b.md": post(`permalink: ${OLD}`, "B") },
  ],
  [
    "is the whole site's",
    "https://old.example.com/",
    { "a.md": post("permalink: https://old.example.com/") },
  ],
  ["has another query", `${OLD}?p=1`, { "a.md": post(`permalink: ${OLD}`) }],
  [
    "is a host that begins like the site",
    "https://old.example.com.evil.example/dbt/",
    {
      CNAME: "old.example.com",
      "dbt.md": post(""),
    },
  ],
  ["is no web address", "mailto:dbt@old.example.com", { CNAME: "old.example.com", "dbt.md": post("") }],
])("an address that %s stays unchanged: %s", async (_, link, others) => {
  expect(await follow(link, others)).toEqual({ address: link, leadsTo: null, notes: [] });
});

test("an address stays if no file names its site, and the article's line names it", async () => {
  const { address, notes } = await follow(OLD, { "a.md": post("permalink: /2019/03/dbt/") });
  expect(address).toBe(OLD);
  expect(notes).toEqual([
    `links that may lead to articles of this import, unchanged because no file names their site: ${OLD}`,
  ]);
});

test.each(["{{ site.baseurl }}/2020/01/05/dbt.html", '{{ "/2020/01/05/dbt.html" | relative_url }}'])(
  "Jekyll's %s leads to the imported article",
  async (link) => {
    const others = { "_posts/2020-01-05-dbt.md": post("") };
    expect((await follow(link, others)).leadsTo).toBe("Learning dbt");
  },
);
