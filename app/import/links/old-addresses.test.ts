import { expect, test } from "vitest";
import { ADA, NOTHING_STORED, read, rowsToWrite } from "../../../tests/support/imports.ts";
import { zipTexts } from "../../portability/export/archive.ts";
import { ADDRESS_FIELDS, mayNameSite, OldAddresses, sitesIn } from "./old-addresses.ts";

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

test.each([
  "CNAME",
  "site/CNAME",
  "my/site/CNAME",
  "config.yml",
  "_config.yaml",
  "config.toml",
  "_config.json",
  "hugo.yaml",
  "hugo.yml",
  "hugo.toml",
  "hugo.json",
  "docs/mkdocs.yml",
])("%s may name the site", (path) => {
  expect(mayNameSite(path)).toBe(true);
});

test.each([
  "a/b/c/CNAME",
  "CNAME.txt",
  "xCNAME",
  "config.ini",
  "_config.yml.bak",
  "jekyll.yml",
  "mkdocs.yaml",
])("%s doesn't name the site", (path) => {
  expect(mayNameSite(path)).toBe(false);
});

test.each<[path: string, text: string, sites: string[]]>([
  ["CNAME", " my-blog.example.com \n", ["my-blog.example.com"]],
  ["site/CNAME", "localhost", []],
  ["CNAME", "two.example words", []],
  ["_config.yml", "url: https://a.example", ["https://a.example"]],
  ["_config.yml", "title: A\n  URL = 'https://a.example' # mine", ["https://a.example"]],
  ["hugo.toml", 'base_url="https://a.example/b",', ["https://a.example/b"]],
  ["hugo.json", '{\n "baseURL" : "https://a.example/"\n}', ["https://a.example/"]],
  ["mkdocs.yml", "site_url: http://a.example", ["http://a.example"]],
  ["_config.yml", "siteurl: https://a.example\nbaseurl: '/b'", ["https://a.example/b", "https://a.example"]],
  ["_config.yml", "url: https://a.example\nroot: /b, x", ["https://a.example/b", "https://a.example"]],
  ["_config.yml", "url: https://a.example\nbaseurl: ''", ["https://a.example"]],
  ["_config.yml", "my url: https://a.example", []],
  ["_config.yml", "url: a.example", []],
  ["_config.yml", "baseurl: /b", []],
])("the settings in %s, %j, name the sites %j", (path, text, sites) => {
  expect(sitesIn(path, text)).toEqual(sites);
});

const itemAt = (source: string, field: string, address: string, more: object = {}) =>
  ({ source, names: [], oldAddresses: [{ field, address }], createdAt: null, ...more }) as never;

test.each(ADDRESS_FIELDS)("the field %s can name an article's address", (field) => {
  const address = field === "guid" ? "https://a.example/?p=12" : "https://a.example/b/c";
  const names = field === "url" || field === "link" ? ["c"] : [];
  expect(new OldAddresses([itemAt("x.md", field, address, { names })]).find(address)).toBe("x.md");
});

test.each([
  "https://a.example/b/c",
  "HTTP://WWW.A.example/b/c/",
  "//a.example/b/c.html",
  "https://a.example/b/c.htm",
  "https://a.example/b/c/index.html",
  "https://a.example/b/c/index.htm",
  "https://a.example/B/%63//",
  "https://a.example/b/c#part",
  "https://a.example/b/c?utm_source=x&UTM_medium=y",
])("%j is the same address as https://a.example/b/c", (address) => {
  expect(new OldAddresses([itemAt("x.md", "permalink", "https://a.example/b/c")]).find(address)).toBe("x.md");
  expect(new OldAddresses([itemAt("x.md", "permalink", address)]).find("https://a.example/b/c")).toBe("x.md");
});

test.each([
  "https://a.example/b",
  "https://a.example/b/c/d",
  "https://b.a.example/b/c",
  "https://wwwa.example/b/c",
  "https://a.example/b/c.html.txt",
  "https://a.example/b/cindex.html",
  "https://a.example/b/c?x=1",
  "https://a.example/b/c?x=1&utm_source=y",
  "ftp://a.example/b/c",
  "a.example/b/c",
  "/x/b/c",
])("%s is another address than https://a.example/b/c", (address) => {
  expect(new OldAddresses([itemAt("x.md", "permalink", "https://a.example/b/c")]).find(address)).toBeNull();
});

test.each([
  ["https://a.example/?p=12", "x.md"],
  ["https://a.example?page_id=3", "x.md"],
  ["https://a.example/x?p=12", null],
  ["https://a.example/?q=12", null],
  ["https://a.example/?p=12a", null],
  ["https://a.example/?p=", null],
])("the guid %s leads to %s", (address, source) => {
  expect(new OldAddresses([itemAt("x.md", "guid", address)]).find(address)).toBe(source);
});

test("an address without a path is the site's, and a path needs a site that is known", () => {
  const old = new OldAddresses(
    [itemAt("x.md", "permalink", "/b/c/"), itemAt("y.md", "aliases", "https://a.example/")],
    ["https://a.example/blog", "https://a.example"],
  );
  expect(old.find("https://a.example")).toBeNull();
  expect(old.find("/b/c")).toBe("x.md");
  expect(old.find("https://a.example/b/c")).toBe("x.md");
  expect(old.find("https://a.example/blog/b/c/")).toBe("x.md");
  expect(old.find("https://b.example/b/c")).toBeNull();
  expect(old.find("b/c")).toBeNull();
  expect(old.pathOnSite("https://a.example/blog/d/e.html")).toBe("/d/e");
  expect(old.pathOnSite("https://a.example/d")).toBe("/d");
  expect(old.pathOnSite("https://a.example")).toBeNull();
  expect(old.pathOnSite("/d")).toBeNull();
  expect(old.mayBeOwn("https://c.example/b/c")).toBe(true);
  expect(old.mayBeOwn("https://c.example/b/d")).toBe(false);
  expect(old.mayBeOwn("/b/c")).toBe(false);
});

test("a path of one part may be any site's, so it isn't reported", () => {
  const old = new OldAddresses([itemAt("x.md", "permalink", "/c/")]);
  expect(old.mayBeOwn("https://c.example/c")).toBe(false);
});

test.each([
  ["2019-03-05", "https://a.example/2019/03/05/dbt", "x.md"],
  ["2019-03-06", "https://a.example/2019/03/05/dbt", "x.md"],
  ["2019-03-05", "https://a.example/2019/03/dbt/", "x.md"],
  ["2019-04-05", "https://a.example/2019/03/05/dbt", null],
  [null, "https://a.example/2019/03/05/dbt", null],
  ["2019-03-05", "https://a.example/blog/2019/03/05/dbt", null],
  ["2019-03-05", "https://a.example/2019/03/05/other", null],
  ["2019-03-05", "https://a.example/2019/3/5/dbt", null],
])("with the date %s, the address %s on the own site leads to %s", (createdAt, address, source) => {
  const items = [
    itemAt("x.md", "slug", "", { names: ["dbt"], createdAt }),
    itemAt("y.md", "permalink", "https://a.example/y/z"),
  ];
  expect(new OldAddresses(items).find(address)).toBe(source);
});
