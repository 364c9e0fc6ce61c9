import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { type ContentQuery, searchContent } from "../../common/data/content-reads.ts";
import type { Authored, ContentRow } from "../../common/data/schema.ts";
import { startTestRest } from "../support/rest.ts";

// Compares the database function search_content with a reference implementation in JavaScript (specification §5).

/** Characters that are special in patterns, quoting, case mapping or normalization. */
const PIECES = [
  "a", "A", "ab", "AB", " ", "%", "_", "\\", "\\%", "*", "**", '"', "'", "(", ")", ",", ".", ":", "é", "É", "e\u0301", "ß",
  "ẞ", "z", "qj", "->", "i", "I", "İ", "ı", "σ", "ς", "Σ", "😀", "👩‍💻", "ǅ", "\n", "\t", "null", "index", "Python", "ø", "Ø", "ﬁ",
  "D\u0130L", "dil", "\u212A8s", "k8s", "\u212B", "å", "a\u030A", "日本語", "한국", "\u1112\u1161\u11AB",
  "\u2019", "\u201c", "\u2013", "\u2011", "-", "\u00a0", "\u202f", "\u200b", "\u00ad", "\ufeff", "\ufe0f", "don\u2019t", "don't",
]; // biome-ignore format: a table
const text = fc.array(fc.constantFrom(...PIECES), { maxLength: 5 }).map((pieces) => pieces.join(""));
const required = text.map((piece) => (/[^\s\p{Default_Ignorable_Code_Point}]/u.test(piece) ? piece : "-"));
const query = fc.oneof(
  fc.constant(""),
  fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 2 }).map((pieces) => pieces.join("")),
);

/** Folds case as the database does. PostgreSQL lowercases İ to a plain i, where `toLowerCase` would add a combining dot. */
const fold = (value: string) =>
  value
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "")
    .replaceAll(/[\u2018\u2019]/g, "'")
    .replaceAll(/[\u201c\u201d]/g, '"')
    .replaceAll(/\p{Dash_Punctuation}/gu, "-")
    .replaceAll(/\p{Space_Separator}/gu, " ")
    .normalize("NFC")
    .replaceAll("İ", "i")
    .toLowerCase()
    .replaceAll("ς", "σ");

type Article = Authored<ContentRow> & { content: string };
type Search = Pick<ContentQuery, "text" | "author" | "sort">;

const SIZE = 3_000;
const PAGE = 61;

const rest = await startTestRest();
afterAll(() => rest.stop());
const client = rest.reader;
await fill();
const allArticles = await readAll({ text: "", author: "", sort: "desc" });
const foldedArticles = new Map(allArticles.map((article) => [article, foldArticle(article)]));

/** Adds articles by sixty authors. Groups of three share a creation time, so that their order depends on their ids. */
async function fill(): Promise<void> {
  const authors: string[] = [];
  for (const [fullName, username] of fc.sample(fc.tuple(text, text), { numRuns: 60, seed: 1 })) {
    const { id } = await rest.signedIn();
    await rest.admin.query("update public.profiles set full_name = $2, username = $3 where id = $1", [
      id,
      fullName,
      username,
    ]);
    authors.push(id);
  }
  const rows = fc
    .sample(fc.tuple(required, required), { numRuns: SIZE, seed: 2 })
    .map(([title, content], index) => ({
      author_id: authors[index % authors.length],
      title,
      // The database searches long texts in another way.
      content: index % 250 === 0 ? `${"~".repeat(60_000)}${content}` : content,
      created_at: new Date(Date.UTC(2026, 0, 1) + Math.floor(index / 3) * 60_000).toISOString(),
    }));
  await rest.admin.query(
    `insert into public.articles (author_id, title, content, created_at)
     select author_id, title, content, created_at
     from json_populate_recordset(null::public.articles, $1::json)`,
    [JSON.stringify(rows)],
  );
}

async function readPage(search: Search, last?: Article, backwards = false): Promise<Article[]> {
  const cursor = last ? { createdAt: last.created_at, id: last.id } : null;
  const found = await searchContent(client, "articles", { ...search, cursor, backwards, size: PAGE });
  expect(found.older).toBeNull();
  return found.items as Article[];
}

async function readAll(search: Search): Promise<Article[]> {
  const found: Article[] = [];
  for (let page = await readPage(search); page.length > 0; page = await readPage(search, page.at(-1)))
    found.push(...page);
  return found;
}

function foldArticle({ title, content, profiles }: Article) {
  const foldAll = (values: (string | null)[]) => values.map((value) => fold(value ?? ""));
  return { texts: foldAll([title, content]), names: foldAll([profiles.full_name, profiles.username]) };
}

function findInJavaScript({ text, author, sort }: Search): Article[] {
  const holds = (values: string[] = [], part: string) =>
    values.some((value) => value.includes(fold(part.trim())));
  return allArticles
    .filter((article) => {
      const folded = foldedArticles.get(article);
      return holds(folded?.texts, text) && holds(folded?.names, author);
    })
    .sort(
      (a, b) =>
        (sort === "asc" ? 1 : -1) * (Date.parse(a.created_at) - Date.parse(b.created_at)) ||
        (a.id < b.id ? -1 : 1),
    );
}

const idsOf = (articles: Article[]) => articles.map(({ id }) => id);

const search = fc.record({
  text: query,
  author: query,
  sort: fc.constantFrom("desc" as const, "asc" as const),
});

describe("search_content compared with a search in JavaScript", () => {
  test("paging through all articles with search_content returns each exactly once", () => {
    expect(new Set(idsOf(allArticles)).size).toBe(SIZE);
  });

  test("random searches with search_content and in JavaScript return the same articles in the same order", async () => {
    await fc.assert(
      fc.asyncProperty(search, async (wanted) => {
        expect(idsOf(await readPage(wanted))).toEqual(idsOf(findInJavaScript(wanted).slice(0, PAGE)));
      }),
      { numRuns: 200 },
    );
  }, 120_000);

  test.each(["->i", "(K8S", "dil", "D\u0130L", "xdil", "\u212A8", "i", "kk", "%ik", "本語", "ς8", "e\u0301"])(
    "search_content and JavaScript find the same articles with %j as the text or as the author",
    async (text) => {
      for (const wanted of [
        { text, author: "", sort: "asc" },
        { text: "", author: text, sort: "desc" },
      ] as const) {
        expect(idsOf(await readAll(wanted))).toEqual(idsOf(findInJavaScript(wanted)));
      }
    },
  );

  test("paging backwards with search_content from the last article returns every earlier one", async () => {
    for (const sort of ["asc", "desc"] as const) {
      const wanted = { text: "i", author: "a", sort };
      const expected = findInJavaScript(wanted);
      expect(expected.length).toBeGreaterThan(3 * PAGE);
      const found: Article[] = [];
      let page = await readPage(wanted, expected.at(-1), true);
      while (page.length > 0) {
        found.unshift(...page.reverse());
        page = await readPage(wanted, found[0], true);
      }
      expect(idsOf(found)).toEqual(idsOf(expected.slice(0, -1)));
    }
  }, 120_000);
});

describe("the parameters of search_content", () => {
  test("search_content cuts articles and code, but not other columns, after text_limit characters", async () => {
    const { id } = await rest.signedIn();
    const long = "é😀".repeat(30_000);
    await rest.admin.query(
      "insert into public.code_samples (profile_id, title, description, code_content, language) values ($1, 'T', $2, $3, 'sql')",
      [id, long.slice(0, 300), long],
    );
    const read = async (textLimit?: number) => {
      const query = { text: "", author: "", sort: "desc", cursor: null, size: 1 } as const;
      const limit = textLimit === undefined ? {} : { textLimit };
      return (await searchContent(client, "code_samples", { ...query, ...limit })).items[0];
    };
    const whole = await read();
    expect(whole).toMatchObject({ description: long.slice(0, 300), code_content: long });
    expect(await read(20_001)).toEqual({ ...whole, code_content: `${"é😀".repeat(10_000)}é` });
    expect(await read(0)).toEqual({ ...whole, code_content: "" });
  });

  test("search_content ignores white space around the text and the author", async () => {
    const wanted = { text: "k8s", author: "a", sort: "desc" } as const;
    const spaced = { ...wanted, text: "\t k8s \n", author: " a  " };
    expect(idsOf(await readPage(spaced))).toEqual(idsOf(await readPage(wanted)));
  });

  test("search_content uses only the first 300 characters of the search text", async () => {
    const everything = { text: "", author: "", sort: "desc", cursor: null } as const;
    const { rows } = await rest.admin.query<{ id: string }>(
      "update public.articles set content = repeat('é😀', 150) where id = $1 returning id",
      [allArticles[7]?.id],
    );
    const { items: found } = await searchContent(client, "articles", {
      ...everything,
      text: "é😀".repeat(1_000),
      size: 61,
    });
    expect(found.map(({ id }) => id)).toEqual([rows[0]?.id]);
  });
});
