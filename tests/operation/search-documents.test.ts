// Tests private.search_documents: what people type, the budget of a search, and filling the table after an upgrade.
import { afterAll, expect, test } from "vitest";
import { KINDS } from "../../common/kinds/index.ts";
import { startTestRest } from "../support/rest.ts";

const rest = await startTestRest();
afterAll(() => rest.stop());
const visitor = rest.client();
const writer = await rest.signedIn();
await rest.admin.query("update public.profiles set full_name = 'Quill Writer' where id = $1", [writer.id]);

interface Found {
  results: { title: string; excerpt: string[] }[];
  counts: Record<string, number>;
  next: string | null;
  older: string | null;
  partial: { title: string }[];
  suggestion: string | null;
}

async function search(
  search_text: string,
  page_cursor: string | null = null,
  page_size = 20,
): Promise<Found> {
  const query = { search_text, page_cursor, page_size };
  const { data } = await visitor.rpc("search_everything", query).throwOnError();
  return data[0];
}
const titles = async (text: string) => (await search(text)).results.map(({ title }) => title);

async function addArticle(title: string, content: string): Promise<void> {
  await rest.admin.query(
    "insert into public.articles (author_id, title, content, published) values ($1, $2, $3, true)",
    [writer.id, title, content],
  );
}

const listed = async (search_text: string, more: object = {}) => {
  const query = { content_table: "articles", search_text, ...more };
  const { data } = await visitor.rpc("search_items", query).throwOnError();
  return data[0] as {
    items: { id: string; created_at: string; title: string }[];
    older: { created_at: string; id: string } | null;
  };
};

await addArticle("Punctuated", "Kestrel asks what a cursor is. Use ruby and awk, or go, here.");
await addArticle("Languages", "Kestrel: C++ and C# and .NET, f() with --force in /etc/hosts, and node.js");
await addArticle(
  "Escaped",
  "osprey my\\_table\\_name, R&amp;D, caf&eacute;, un**believ**able &#8364;5 &#x41;bc",
);

await addArticle("Goshawk", "What is an index? A python text about sql and node.js.");
await addArticle("Postgres has a new database", "A text about moving");
await addArticle("Choosing indexes", "A text about plans");

test.each([
  "what a cursor? kestrel",
  "kestrel cursor.",
  "kestrel ruby, awk",
  "kestrel ruby; awk",
  "kestrel (ruby)",
  "“kestrel” ruby!",
  "kestrel: ruby",
  "kestrel ruby/awk",
  "kestrel #ruby",
  "kestrel ruby & awk",
  "kes\u00adtrel\u200b ruby",
])("marks that only punctuate the search %j don't count", async (text) => {
  expect(await titles(text)).toEqual(["Punctuated"]);
});

test.each(["C++", "C++,", "C#?", ".NET", "(.NET)", "f()", "--force", "/etc/hosts", "Node.js?"])(
  "the marks of %j belong to the word",
  async (word) => {
    expect(await titles(`kestrel ${word}`)).toEqual(["Languages"]);
  },
);

test.each(["my_table_name", "R&D", "café", "unbelievable", '"R&D, café"', "€5", "Abc"])(
  "readers find %j as they see it",
  async (word) => {
    expect(await titles(`osprey ${word}`)).toEqual(["Escaped"]);
  },
);

test("a list finds typographic variants and ignores invisible characters, on both sides", async () => {
  await addArticle("Typographic", "Don\u2019t re\u00aduse a\u2011b \u201cplumage\u201d \ufeffhere");
  for (const text of ["don't reuse", 'a-b "plumage" here', "don\u2018t", "reu\u200bse"])
    expect(
      (await listed(text)).items.map(({ title }) => title),
      text,
    ).toEqual(["Typographic"]);
});

test("the directory finds and sorts names regardless of invisible and typographic characters", async () => {
  const names = [
    "\u200bZiska O\u2019Avocet",
    "Ziska\u00a0O'Bunting",
    "Zis\u00adka O\u2018Crake",
    "Ziska O\u02bcDunlin",
  ];
  // Adds the last name first.
  for (const name of names.toReversed()) {
    const { id } = await rest.signedIn();
    await rest.admin.query("update public.profiles set full_name = $2 where id = $1", [id, name]);
  }
  const query = { search_text: "zi\ufeffska o\u2019", sort_by_name: true };
  const { data } = await visitor.rpc("search_people", query).throwOnError();
  expect(data.map(({ full_name }: { full_name: string }) => full_name)).toEqual(names);
});

test("a search without results offers what has most of its words and a similar word", async () => {
  await addArticle("Migrating harriers", "A harrier flies far.");
  const found = await search("harrier flies kestrel");
  expect(found.results).toEqual([]);
  expect(found.partial.map(({ title }) => title)[0]).toBe("Migrating harriers");
  expect(await search("migratng")).toMatchObject({ results: [], partial: [], suggestion: "migrating" });
  expect((await search("harriers")).suggestion).toBeNull();
  expect(await search("xyzzyplugh")).toMatchObject({ results: [], partial: [], suggestion: null });
});

test.each(["What is an index?", "python, sql", "index.", "(python)", "#python", "python/sql", "Node.js?"])(
  "readers who type %j find a text with these words",
  async (text) => {
    expect(await titles(`${text} goshawk`)).toEqual(["Goshawk"]);
    expect(await titles(`goshawk ${text}`)).toEqual(["Goshawk"]);
  },
);

test.each([
  ["posgres", "postgres"],
  ["datbase", "database"],
  ["indexing", "indexes"],
  ["posgres datbase", "postgres database"],
])("a search for %j offers %j, which are words of titles", async (typed, suggestion) => {
  expect(await search(typed)).toMatchObject({ results: [], partial: [], suggestion });
});

test("a question in everyday words offers the texts with most of them, the rarest words first", async () => {
  await addArticle("Nightjar one", "How do I make this?");
  await addArticle("Nightjar two", "How do I plan it? Make a query.");
  for (const each of ["three", "four"]) await addArticle(`Nightjar ${each}`, "How do I make it?");
  const found = await search("how do i make a query faster");
  expect(found.results).toEqual([]);
  expect(found.partial.map(({ title }) => title).slice(0, 2)).toEqual(["Nightjar two", "Nightjar four"]);
});

test("a search that reaches its budget says where it has stopped, and continues there without losing a result", async () => {
  await rest.admin.query(
    `insert into public.useful_links (profile_id, title, url, category, created_at)
     select $1, case when n <= 2500 then 'Old merlin ' || n else 'New link ' || n end, '/', 'x',
       timestamptz '2026-01-01' + n * interval '1 minute'
     from generate_series(1, 4000) as n`,
    [writer.id],
  );
  // A smaller budget of rows, so that the test needs fewer.
  await rest.admin.query(
    `create or replace function private.max_rows_of_search() returns integer
       language sql immutable parallel safe set search_path = '' as 'select 1000'`,
  );
  const first = await search("merlin");
  expect(first.counts["useful_links"]).toBe(101);
  expect(first).toMatchObject({ results: [], next: null, older: expect.any(String) });
  const second = await search("merlin", first.older);
  expect(second.results.map(({ title }) => title).slice(0, 2)).toEqual([
    "Old merlin 2500",
    "Old merlin 2499",
  ]);
  expect(second.next).toEqual(expect.any(String));

  const links = { content_table: "useful_links" };
  const list = await listed("old merlin", links);
  expect(list).toMatchObject({ items: [], older: { id: expect.any(String) } });
  const cursor = { cursor_time: list.older?.created_at, cursor_id: list.older?.id };
  const continued = await listed("old merlin", { ...links, ...cursor });
  expect(continued.items[0]?.title).toBe("Old merlin 2500");
  // Oldest first, the nearest rows fill the page.
  const oldest = await listed("old merlin", { ...links, oldest_first: true });
  expect(oldest).toMatchObject({ items: { 0: { title: "Old merlin 1" } }, older: null });
});

test("both searches find each of 2,500 matches once, page by page, and offer nothing older after the last row", async () => {
  const expected = Array.from({ length: 2_500 }, (_, index) => `Old merlin ${2_500 - index}`);
  const inList: string[] = [];
  for (let cursor: object | null = {}; cursor; ) {
    const more = { content_table: "useful_links", page_size: 100, ...cursor };
    const { items, older }: Awaited<ReturnType<typeof listed>> = await listed("old merlin", more);
    inList.push(...items.map(({ title }) => title));
    const last = items.length === 100 ? items.at(-1) : older;
    cursor = last ? { cursor_time: last.created_at, cursor_id: last.id } : null;
  }
  expect(inList).toEqual(expected);

  for (const search_text of ["merlin", '"old merlin"']) {
    const inEverything: string[] = [];
    for (let page_cursor: string | null = null, isLast = false; !isLast; ) {
      const { results, next, older }: Found = await search(search_text, page_cursor, 100);
      inEverything.push(...results.map(({ title }) => title));
      page_cursor = next ?? older;
      isLast = page_cursor === null;
    }
    expect(inEverything, search_text).toEqual(expected);
  }
});

/** Returns how many rows of the searches' table a statement reads. */
async function rowsRead(statement: string): Promise<number> {
  const client = await rest.admin.connect();
  const count = async () => {
    const { rows } = await client.query(
      `select (seq_tup_read + idx_tup_fetch)::integer as read from pg_stat_xact_user_tables
       where relname = 'search_documents'`,
    );
    return rows[0].read;
  };
  try {
    await client.query("begin");
    const before = await count();
    await client.query(statement);
    return (await count()) - before;
  } finally {
    client.release(true);
  }
}

test("a save reads only its own document, also on a connection that planned the save with an empty table", async () => {
  const site = await startTestRest();
  try {
    const { id } = await site.signedIn();
    const admin = await site.admin.connect();
    const save = (title: string) =>
      admin.query(
        `insert into public.articles (id, author_id, title, content) values ($1, $1, $2, 'x')
         on conflict (id) do update set title = excluded.title`,
        [id, title],
      );
    const read = async () => {
      const { rows } = await admin.query(
        `select (seq_tup_read + idx_tup_fetch)::integer as read from pg_stat_xact_user_tables
         where relname = 'search_documents'`,
      );
      return rows[0].read;
    };
    // PostgreSQL plans the triggers' statements now, and keeps the plans.
    for (const title of ["First", "Second", "Third"]) await save(title);
    await site.admin.query(
      `insert into public.articles (author_id, title, content)
       select $1, 'Other ' || n, 'x' from generate_series(1, 500) as n`,
      [id],
    );
    await admin.query("begin");
    const before = await read();
    await save("Fourth");
    expect((await read()) - before).toBeLessThan(10);
    await admin.query("commit");
    admin.release();
  } finally {
    await site.stop();
  }
});

test("a document is written again only if a save changes what searches read", async () => {
  const { id } = await rest.signedIn();
  await rest.admin.query(
    "insert into public.articles (id, author_id, title, content) values ($1, $1, 'Shrike', 'A bird')",
    [id],
  );
  const document = async () => {
    const { rows } = await rest.admin.query(
      "select xmin::text, owner, created_at, is_listed, listed from private.search_documents where kind = 'articles' and id = $1",
      [id],
    );
    return rows[0];
  };
  // Members can't change an item's id, owner and time, but the service can.
  const update = (assignments: string) =>
    rest.admin.query(
      `begin; set local role service_role; update public.articles set ${assignments} where id = '${id}'; commit`,
    );
  let before = await document();
  await update("title = title, updated_at = now()");
  expect(await document()).toEqual(before);
  for (const [assignments, changed] of [
    ["title = 'Great shrike'", { listed: "great shrike\na bird" }],
    ["content = 'Two birds'", { listed: "great shrike\ntwo birds" }],
    ["published = true", { is_listed: true }],
    ["created_at = '2026-01-02 03:04:05Z'", { created_at: new Date("2026-01-02T03:04:05Z") }],
    [`author_id = '${writer.id}'`, { owner: writer.id }],
  ] as const) {
    await update(assignments);
    const after = await document();
    expect(after, assignments).toEqual({ ...before, ...changed, xmin: expect.any(String) });
    expect(after.xmin, assignments).not.toBe(before.xmin);
    before = after;
  }
  await update("id = gen_random_uuid()");
  expect(await document()).toBeUndefined();
  expect((await listed("great shrike")).items).toHaveLength(1);
  await rest.admin.query("delete from public.articles where title = 'Great shrike'");
  expect((await listed("great shrike")).items).toEqual([]);
});

test.each([
  // Both words are in 2,500 titles, but never in this order.
  ["the search over everything", `select public.search_everything('"merlin old"')`],
  ["the search of a list", "select public.search_items('useful_links', 'old merlin')"],
])(
  "%s reads at most the matches of an index and a few times its budget of rows",
  async (_name, statement) => {
    const setBudget = (rows: number) =>
      rest.admin.query(
        `create or replace function private.max_rows_of_search() returns integer
         language sql immutable parallel safe set search_path = '' as 'select ${rows}'`,
      );
    const MATCHES = 2_001;
    await setBudget(200);
    const read = await rowsRead(statement);
    expect(read).toBeLessThan(MATCHES + 500 + 6 * 200);
    await setBudget(1_000);
    expect(await rowsRead(statement)).toBeLessThan(MATCHES + 500 + 6 * 1_000);
    expect(await rowsRead(statement)).toBeGreaterThan(read);
  },
);

/** Returns how many pages of memory or of a file the search over everything reads. */
async function pagesRead(text: string): Promise<number> {
  const { rows } = await rest.admin.query(
    "explain (analyze, buffers, format json) select public.search_everything($1)".replace("$1", `'${text}'`),
  );
  const { Plan } = rows[0]["QUERY PLAN"][0];
  return Plan["Shared Hit Blocks"] + Plan["Shared Read Blocks"];
}

test("another member's 200,000 different words with a prefix don't multiply what a search for the prefix reads", async () => {
  const before = await pagesRead("plum");
  const { id } = await rest.signedIn();
  await rest.admin.query("update public.profiles set full_name = 'Many Words' where id = $1", [id]);
  await rest.admin.query(
    `insert into public.articles (author_id, title, content, published, created_at)
     select $1, 'Words', (select string_agg('plum' || item || 'x' || word, ' ') from generate_series(1, 5000) as word), true, '2020-01-01'
     from generate_series(1, 40) as item`,
    [id],
  );
  const { rows } = await rest.admin.query(
    "select private.is_wide('plum') as wide, private.is_wide('plumage') as narrow",
  );
  expect(rows).toEqual([{ wide: true, narrow: false }]);
  // Their items are read as those of a list are: one after the other, newest first.
  expect(await titles("plum")).toContain("Typographic");
  expect(await titles("here plum")).toEqual(["Typographic"]);
  expect(await titles("plumage")).toEqual(["Typographic"]);
  expect(await pagesRead("plumage")).toBeLessThan(2 * before);
  expect(await pagesRead("here plum")).toBeLessThan(2 * before);
  // The search for the prefix alone reads those 40 items, which take 10 pages each, but not the index.
  expect(await pagesRead("plum")).toBeLessThan(2 * before + 2 * 40 * 10);
});

const ID = crypto.randomUUID();
const ARTICLES = { content_table: "articles" };
const TABLES = KINDS.map(({ table }) => table).sort();
const NEEDS_TABLE = `content_table must be one of ${TABLES.join(", ")}`;
test.each([
  ["search_content", { ...ARTICLES, page_size: 101 }, "page_size must be between 1 and 100"],
  ["search_items", { ...ARTICLES, page_size: 0 }, "page_size must be between 1 and 100"],
  ["search_people", { page_size: -1 }, "page_size must be between 1 and 100"],
  ["search_everything", { page_size: 101 }, "page_size must be between 1 and 100"],
  ["search_everything", { page_size: null }, "page_size must be between 1 and 100"],
  ["search_content", { content_table: "profiles" }, NEEDS_TABLE],
  ...["search_content", "search_items"].map((name) => [name, { content_table: "no table" }, NEEDS_TABLE]),
  [
    "find_item",
    { content_table: "profiles", digits: "0123456789ab" },
    "content_table must be the table of a kind of content, such as articles",
  ],
  ["find_item", { ...ARTICLES, digits: ID }, "digits must be the last twelve hexadecimal digits of an id"],
  ["search_items", { ...ARTICLES, text_limit: -1 }, "text_limit must be 0 or more"],
  [
    "search_content",
    { ...ARTICLES, cursor_id: ID },
    "cursor_time and cursor_id must be set together, to the created_at and the id of an item",
  ],
  [
    "search_items",
    { ...ARTICLES, cursor_time: "2026-01-01T00:00:00Z" },
    "cursor_time and cursor_id must be set together, to the created_at and the id of an item",
  ],
  [
    "search_people",
    { search_category: "cobol" },
    "search_category must be one of python, sql, aws, tools, or empty",
  ],
  [
    "search_people",
    { cursor_key: "60" },
    "cursor_key and cursor_id must be set together, to the sort_key and the id of a person",
  ],
  [
    "search_people",
    { cursor_key: "ada", cursor_id: ID },
    "cursor_key must be the sort_key of a person in the same order",
  ],
  [
    "search_everything",
    { search_kind: "profiles" },
    `search_kind must be one of ${[...TABLES, "people"].sort().join(", ")}, or empty`,
  ],
  ...[
    "",
    "x",
    "9~2026-01-01T00:00:00.000000~x~y",
    "2~~~",
    "0~9999-99-99T99:99:99.999999~00000000-0000-0000-0000-000000000000~a",
  ].map((page_cursor) => [
    "search_everything",
    { page_cursor },
    "page_cursor must be next or older of an earlier answer",
  ]),
] as [string, object, string][])(
  "%s rejects %j with a sentence that names the argument",
  async (name, sent, message) => {
    const { status, error } = await visitor.rpc(name as "search_people", sent);
    expect({ status, code: error?.code, message: error?.message }).toEqual({
      status: 400,
      code: "22023",
      message,
    });
  },
);

test("each search returns pages of up to 100 rows, so that a shorter page without a position is the last", async () => {
  await rest.admin.query(
    `insert into public.code_samples (profile_id, title, language, code_content)
     select $1, 'Wryneck ' || n, 'sql', 'x' from generate_series(1, 120) as n`,
    [writer.id],
  );
  const page_size = 100;
  const query = { content_table: "code_samples", search_text: "wryneck", page_size };
  const { data: rows } = await visitor.rpc("search_content", query).throwOnError();
  expect(rows).toHaveLength(100);
  const search_text = "wryneck";
  const { data } = await visitor.rpc("search_everything", { search_text, page_size }).throwOnError();
  expect(data[0]).toMatchObject({ results: { length: 100 }, next: expect.any(String) });
});

test("a page of results looks for excerpts in a limited number of letters outside of ASCII", async () => {
  await rest.admin.query(
    `insert into public.articles (author_id, title, content, published)
     select $1, 'Sandgrouse ' || n, repeat('été ', 2400) || 'needle', true from generate_series(1, 24) as n`,
    [writer.id],
  );
  const { results } = await search("sandgrouse needle", null, 24);
  expect(results).toHaveLength(24);
  const hits = results.map(({ excerpt }) => excerpt.length > 1);
  // A text has six parts. Only the first part of each text is free.
  const found = hits.indexOf(false);
  expect(found).toBeGreaterThanOrEqual(10);
  expect(hits.slice(found)).not.toContain(true);
});

test("an author's full name finds their items, however many members have one of the names", async () => {
  const { rows } = await rest.admin.query(
    `insert into auth.users (id, instance_id, aud, role, email)
     select gen_random_uuid(), '00000000-0000-0000-0000-000000000000', 'authenticated', 'authenticated', n || '@example.com'
     from generate_series(1, 240) as n returning id`,
  );
  const ids = rows.map(({ id }) => id);
  await rest.admin.query(
    `update public.profiles set full_name = case n when 240 then 'Sol Bittern' else
       (array['Sol Other', 'Any Bittern'])[1 + n % 2] end
     from unnest($1::uuid[]) with ordinality as given (person, n) where id = person`,
    [ids],
  );
  const addOf = (people: string[], title: string) =>
    rest.admin.query(
      `insert into public.articles (author_id, title, content, published)
       select person, $2 || n, 'Hatching', true from unnest($1::uuid[]) with ordinality as given (person, n)`,
      [people, title],
    );
  await addOf(ids.slice(0, -1), "Of another author ");
  await addOf(ids.slice(-1), "Of Sol Bittern ");
  expect(await titles("sol bittern hatching")).toEqual(["Of Sol Bittern 1"]);
  expect(await titles("hatching -bittern -sol")).toEqual([]);
});

test("rows from before the table are indexed in steps, newest first, and changes in between stay", async () => {
  const { rows: before } = await rest.admin.query(
    "select kind, id, listed, words from private.search_documents order by 1, 2",
  );
  await rest.admin.query(
    `delete from private.search_documents;
     insert into private.search_backlog
     select content_table, timestamptz 'infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid from private.content_kinds
     union all select 'people', 'infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff'`,
  );
  await addArticle("Written meanwhile", "x");
  let steps = 0;
  for (let indexed = 1; indexed > 0; steps++)
    indexed = (await rest.admin.query("select public.fill_search(500) as indexed")).rows[0].indexed;
  expect(steps).toBeGreaterThan(8);
  const { rows: after } = await rest.admin.query(
    "select kind, id, listed, words from private.search_documents where listed <> E'written meanwhile\\nx' order by 1, 2",
  );
  expect(after).toEqual(before);
  expect(await titles("meanwhile")).toEqual(["Written meanwhile"]);
});

test("one statement makes the searches cover a new column", async () => {
  await rest.admin.query(
    `alter table public.articles add column subtitle text;
     update public.articles set subtitle = 'About gyrfalcons' where title = 'Escaped';
     select private.add_searched_column('articles', 'subtitle')`,
  );
  expect(await titles("gyrfalcons")).toEqual(["Escaped"]);
  expect((await listed("ABOUT gyr")).items.map(({ title }) => title)).toEqual(["Escaped"]);
});
