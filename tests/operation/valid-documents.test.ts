import { afterAll, expect, test } from "vitest";
import { itemPath } from "../../common/data/addresses.ts";
import { KINDS } from "../../common/kinds/index.ts";
import type { KindDefinition } from "../../common/kinds/kind-definition.ts";
import { exampleRow } from "../support/example-rows.ts";
import { HOSTILE_TEXT } from "../support/hostile-text.ts";
import { startTestApp } from "../support/test-app.ts";
import { atomFaults, htmlFaults, sitemapFaults } from "../support/validators.ts";

const UNKNOWN_ID = "00000000-0000-4000-8000-00000000dead";
const HOSTILE = `${HOSTILE_TEXT} "onerror="x \u202E\u0085`;
const ARTICLE = `# One\n\nA [link](/articles "t"), ![picture](/p.png), ~~old~~ <b>x</b>[^1] ${HOSTILE}

## Two\n\n- [x] done\n- [ ] open\n\n1. a\n   - b

| a | b |\n| :- | -: |\n| 1 | 2 |\n\n> quoted

\`\`\`sql\nselect 1 -- <b>\n\`\`\`\n\n***\n\n[^1]: A note.`;

/** Values with `text` for all of the kind's columns that members write freely. */
function textsOf({ columns }: KindDefinition, text: string): Record<string, string> {
  const values: Record<string, string> = {
    text,
    markdown: `${ARTICLE} ${text}`,
    code: `select '${text}'`,
    address: `https://e.example/?${text}`,
  };
  return Object.fromEntries(
    Object.entries(columns).flatMap(([name, { type }]) => {
      const value = values[type];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

const LISTS = KINDS.map(({ path }) => path);
const site = await startTestApp();
const itemPaths: string[] = [];
const profilePaths: string[] = [];
for (const name of ["Ada Lovelace", HOSTILE]) {
  const id = await site.addMember({
    username: name === HOSTILE ? HOSTILE : "ada",
    full_name: name,
    bio: `${name}\nSecond line`,
    avatar_url: `/"onerror="x`,
    linkedin_url: "https://linkedin.example/?a=1&b=<>",
    current_title: name,
    company: name,
    years_experience: 9,
    featured: true,
    featured_skills: [name, "SQL"],
  });
  profilePaths.push(name === HOSTILE ? `/profile/${id}` : "/profile/ada");
  const skill = { profile_id: id, category: "sql", name: name.slice(0, 100) };
  await site.add("skills", { ...skill, proficiency: 5, years_experience: 1 });
  for (const title of [name, "Another"]) {
    for (const kind of KINDS) {
      const row = exampleRow(kind, id, { ...textsOf(kind, name), title });
      itemPaths.push(itemPath(kind, { id: await site.add(kind.table, row), title }));
    }
  }
}
const nameless = `/profile/${await site.addMember()}`;
const paths = [
  ...["/", ...LISTS, "/profile"],
  ...["/articles?q=ada&author=a&sort=asc", "/articles?q=nothing+has+these+words", "/nowhere"],
  ...["/search", "/search?q=ada", "/search?q=nothing+has+these+words"],
  `/articles?after=2027-01-01T00:00:00Z~${UNKNOWN_ID}`,
  `/articles/${UNKNOWN_ID}`,
  nameless,
  ...profilePaths,
  ...itemPaths,
];
afterAll(() => site.stop());

test("the home page, lists, items, profiles, the sign-in page and error pages are valid HTML, even with hostile text", async () => {
  for (const path of paths) {
    const document = await (await site.ask(path)).text();
    expect(await htmlFaults(document), path).toEqual([]);
  }
});

test("the validators reject invalid HTML, feeds and sitemaps", async () => {
  expect(await htmlFaults("<!doctype html><title>T</title><p><div foo=bar></p>")).not.toEqual([]);
  const feed = (inner: string) => `<feed xmlns="http://www.w3.org/2005/Atom">${inner}</feed>`;
  expect(atomFaults(feed("<id>x</id>"))).not.toEqual([]);
  const head = "<id>x</id><title>t</title><updated>2026-01-01T00:00:00Z</updated>";
  expect(() => atomFaults(feed(`${head}<entry>${head}</entry>`))).toThrow("An entry has no author");
  expect(sitemapFaults(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"/>`)).not.toEqual([]);
});

test("the site's feed and every person's feed are valid Atom, even with hostile text", async () => {
  const people = paths.filter((path) => path.startsWith("/profile/"));
  for (const path of ["/feed.xml", ...new Set(people.map((person) => `${person}/feed.xml`))]) {
    const feed = await site.eventually(path);
    expect(atomFaults(feed), path).toEqual([]);
  }
});

test("the sitemaps are valid and list the home page, the lists, every item and every person who has a name", async () => {
  const locationsOf = (xml: string) =>
    [...xml.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => address ?? "");
  const index = await site.eventually("/sitemap.xml");
  expect(sitemapFaults(index)).toEqual([]);
  expect(index.match(/<lastmod>/g)).toHaveLength(locationsOf(index).length);
  const listedPaths: string[] = [];
  for (const address of locationsOf(index)) {
    const sitemap = await site.eventually(new URL(address).pathname);
    expect(sitemapFaults(sitemap), address).toEqual([]);
    listedPaths.push(...locationsOf(sitemap).map((page) => new URL(page).pathname));
  }
  expect(listedPaths).toEqual(
    expect.arrayContaining(["/", "/search", ...LISTS, ...profilePaths, ...itemPaths]),
  );
  expect(listedPaths).not.toContain(nameless);
});
