import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { articles } from "../../app/content/kinds/articles/definition.ts";
import { answerList, PAGE_SIZE, readPage } from "../../app/content/list/list.server.ts";
import { cursorOf, type ListPage } from "../../app/content/list/page.ts";
import { EVERYTHING, type Search, searchCards } from "../../app/content/search/search.ts";
import { createDataClient } from "../../app/data/client.ts";
import { searchContent } from "../../app/data/content-reads.ts";
import type { Authored, ContentRow } from "../../app/data/schema.ts";
import type { PageContext } from "../../app/site.ts";
import { startTestRest } from "../support/rest.ts";

// The browser searches short lists, the database long ones: whoever looks on must not be able to tell which.

/** Pieces that patterns, quoting and case trip over. */
const PIECES = [
  "a", "A", "ab", "AB", " ", "%", "_", "\\", "\\%", "*", "**", '"', "'", "(", ")", ",", ".", ":", "é", "É", "ß",
  "ẞ", "z", "qj", "->", "i", "I", "İ", "ı", "σ", "ς", "Σ", "😀", "👩‍💻", "ǅ", "\n", "\t", "null", "index", "Python", "ø", "Ø", "ﬁ",
  "D\u0130L", "dil", "\u212A8s", "k8s",
]; // biome-ignore format: a table
const text = fc.array(fc.constantFrom(...PIECES), { maxLength: 5 }).map((pieces) => pieces.join(""));
const query = fc.oneof(
  fc.constant(""),
  fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 2 }).map((pieces) => pieces.join("")),
);

const rest = await startTestRest();
const data = createDataClient({ url: "http://techfolio.test", key: rest.keys.anonKey }, async (input, init) =>
  rest.app.request(new Request(input, init)),
);
const context: PageContext = {
  site: { title: "", url: "", backend: { url: "", key: "" }, footerLinks: [] },
  data,
  render: async (jobs) => jobs.map(() => ""),
  logFailure: (_event, error) => {
    throw error;
  },
};
await fill();
const rows = await searchContent(data, "articles", { ...EVERYTHING, cursor: null, size: 3_000 });
const all = rows.map((item) => ({ item }));

afterAll(() => rest.stop());

/** Three thousand articles, more than the search looks at nearby, of sixty authors; several of the same instant. */
async function fill(): Promise<void> {
  const names = fc.sample(fc.tuple(text, text), { numRuns: 60, seed: 1 });
  const authors: string[] = [];
  for (const [fullName, username] of names) {
    const { id } = await rest.signedIn();
    await rest.admin.query("update public.profiles set full_name = $2, username = $3 where id = $1", [
      id,
      fullName,
      username,
    ]);
    authors.push(id);
  }
  const rows = fc.sample(fc.tuple(text, text), { numRuns: 3000, seed: 2 }).map(([title, content], index) => ({
    author_id: authors[index % authors.length],
    title: title || "-",
    content: content || "-",
    created_at: new Date(Date.UTC(2026, 0, 1) + Math.floor(index / 3) * 60_000).toISOString(),
  }));
  await rest.admin.query(
    `insert into public.articles (author_id, title, content, created_at)
     select author_id, title, content, created_at
     from json_populate_recordset(null::public.articles, $1::json)`,
    [JSON.stringify(rows)],
  );
}

async function readToTheEnd(search: Search): Promise<string[]> {
  const ids: string[] = [];
  let after: string | null = null;
  do {
    const page: ListPage = await readPage(articles, { search, after }, context);
    ids.push(...page.cards.map(({ item }) => item.id));
    after = page.next;
  } while (after);
  return ids;
}

async function readToTheStart(search: Search, last: Authored<ContentRow>): Promise<string[]> {
  const ids: string[] = [];
  let first: Authored<ContentRow> | undefined = last;
  while (first) {
    const before = cursorOf(first);
    const page: ListPage = await readPage(articles, { search, before }, context);
    ids.unshift(...page.cards.map(({ item }) => item.id));
    first = page.previous ? page.cards[0]?.item : undefined;
  }
  return ids;
}

const search = fc.record({
  text: query,
  author: query,
  sort: fc.constantFrom("desc" as const, "asc" as const),
});

describe("the search in the database and the search in the browser", () => {
  test("have the rows that were written", () => {
    expect(all).toHaveLength(3000);
  });

  test("find the same items in the same order, whatever is searched", async () => {
    await fc.assert(
      fc.asyncProperty(search, async (wanted) => {
        const expected = searchCards(all, articles.searched, wanted).map(({ item }) => item.id);
        const { cards, next } = await readPage(articles, { search: wanted }, context);
        expect(cards.map(({ item }) => item.id)).toEqual(expected.slice(0, PAGE_SIZE));
        expect(next !== null).toBe(expected.length > PAGE_SIZE);
      }),
      { numRuns: 400 },
    );
  }, 120_000);

  test.each(["->i", "(K8S", "dil", "D\u0130L", "xdil", "\u212A8", "i", "kk", "%ik"])(
    "find %s by index, row by row and whole",
    async (text) => {
      for (const wanted of [
        { text, author: "", sort: "asc" },
        { text: "", author: text, sort: "desc" },
      ] as const) {
        const expected = searchCards(all, articles.searched, wanted).map(({ item }) => item.id);
        expect(await readToTheEnd(wanted)).toEqual(expected);
      }
    },
  );

  test("go on in the same way behind the first page, to the end and back", async () => {
    const wanted = { text: "i", author: "a", sort: "desc" } as const;
    const expected = searchCards(all, articles.searched, wanted).map(({ item }) => item.id);
    expect(expected.length).toBeGreaterThan(3 * PAGE_SIZE);
    expect(await readToTheEnd(wanted)).toEqual(expected);
    for (const sort of ["asc", "desc"] as const) {
      const found = searchCards(all, articles.searched, { ...wanted, sort });
      const last = found.at(-1);
      if (!last) throw new Error("nothing was found");
      const before = found.slice(0, -1).map(({ item }) => item.id);
      expect(await readToTheStart({ ...wanted, sort }, last.item)).toEqual(before);
    }
  });

  test("agree on texts that are longer than any address", async () => {
    const wanted = { text: "é😀".repeat(4000), author: "", sort: "desc" } as const;
    const { cards } = await readPage(articles, { search: wanted }, context);
    expect(cards).toEqual([]);
  });

  test("agree on the neighbours of an item", async () => {
    const wanted = { text: "a", author: "", sort: "asc" } as const;
    const expected = searchCards(all, articles.searched, wanted).map(({ item }) => item.id);
    const query = new URLSearchParams({ q: "a", sort: "asc", around: expected[77] ?? "", size: "36" });
    const page = await answerList(articles, query, context);
    const ids = page?.cards?.map((card) => (typeof card === "number" ? card : card.item.id));
    expect(ids).toEqual(expected.slice(71, 107));
  });
});
