// Tests reads with supabase-js and with raw requests in PostgREST's protocol.
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { startTestRest } from "../../tests/support/rest.ts";

const titles = [
  "Alpha",
  "beta",
  "50% off",
  "a_b",
  "back\\slash",
  'quo"te',
  "com,ma (x)",
  "Ünïcode 😀",
  "İstanbul",
];

const rest = await startTestRest();
const ada = await rest.signedIn();
const grace = await rest.signedIn();
const { admin } = rest;
await admin.query(
  `update public.profiles set username = 'ada', years_experience = 2, featured_skills = '{SQL,"Python, 3"}'
   where id = $1`,
  [ada.id],
);
await admin.query("update public.profiles set username = 'grace', full_name = 'Grace H.' where id = $1", [
  grace.id,
]);
for (const [at, title] of titles.entries()) {
  await admin.query(
    `insert into public.useful_links (profile_id, title, url, category, description, created_at)
     values ($1, $2, 'https://example.com/', 'SQL', $3, $4)`,
    [
      at < 3 ? grace.id : ada.id,
      title,
      at % 2 === 0 ? `about ${title}` : null,
      `2025-01-0${at + 1}T00:00:00Z`,
    ],
  );
}
for (const proficiency of [1, 5, 3]) {
  await admin.query("insert into public.skills (profile_id, name, proficiency) values ($1, 'sql', $2)", [
    ada.id,
    proficiency,
  ]);
}
afterAll(() => rest.stop());

const links = () => rest.client().from("useful_links");
const inOrder = () => links().select("title").order("created_at");
const named = (data: { title: string }[] | null) => data?.map(({ title }) => title);

describe("reading rows with filters", () => {
  test.each<[string, string, unknown, string[]]>([
    ["title", "eq", "Alpha", ["Alpha"]],
    ["title", "like", "a%", ["a_b"]],
    ["title", "ilike", "a*", ["Alpha", "a_b"]],
    ["title", "ilike", "%50\\%%", ["50% off"]],
    ["title", "ilike", "%a\\_b%", ["a_b"]],
    ["title", "ilike", "%back\\\\s%", ["back\\slash"]],
    ["title", "ilike", '%"%', ['quo"te']],
    ["title", "ilike", "%, (%", []],
    ["title", "ilike", "%😀%", ["Ünïcode 😀"]],
    ["created_at", "lt", "2025-01-03T00:00:00Z", ["Alpha", "beta"]],
    ["created_at", "gte", "2025-01-09T00:00:00+00:00", ["İstanbul"]],
    ["description", "is", null, ["beta", "a_b", 'quo"te', "Ünïcode 😀"]],
    ["description", "not.is", null, ["Alpha", "50% off", "back\\slash", "com,ma (x)", "İstanbul"]],
    ["title", "not.ilike", "%a%", ["50% off", 'quo"te', "Ünïcode 😀"]],
  ])("rows can be filtered by %s %s %j", async (column, operator, value, expected) => {
    const { data, error } = await inOrder().filter(column, operator, value);
    expect(error).toBeNull();
    expect(named(data)).toEqual(expected);
  });

  test("in() and notIn() accept values with commas, parentheses and quotes, and in() accepts an empty list", async () => {
    const { data } = await inOrder().in("title", ["com,ma (x)", "a_b", "nothing"]);
    expect(named(data)).toEqual(["a_b", "com,ma (x)"]);
    expect(named((await inOrder().in("title", [])).data)).toEqual([]);
    expect(named((await inOrder().notIn("title", titles.slice(1))).data)).toEqual(["Alpha"]);
  });

  test("or() and and() can be nested and accept quoted values", async () => {
    const { data } = await inOrder().or(
      'title.eq."com,ma (x)",and(title.ilike.a*,not.or(description.is.null)),title.in.(beta,"x")',
    );
    expect(named(data)).toEqual(["Alpha", "beta", "com,ma (x)"]);
  });

  test("eq matches exactly the same text, whatever characters other than NUL it contains", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme", maxLength: 40 }), async (text) => {
        fc.pre(!text.includes("\0"));
        const { data, error } = await rest.client().from("useful_links").select("title").eq("title", text);
        expect(error).toBeNull();
        expect(named(data)).toEqual(titles.filter((title) => title === text));
      }),
      { numRuns: 100, examples: titles.map((title): [string] => [title]) },
    );
  });

  test("ilike finds a literal substring if its wildcards are escaped", async () => {
    const part = fc.constantFrom(...'ab%_\\"o,(é😀Ü1 ');
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: part, minLength: 1, maxLength: 3 }), async (text) => {
        const { data, error } = await inOrder().ilike("title", `%${text.replace(/[\\%_]/g, "\\$&")}%`);
        expect(error).toBeNull();
        const expected = titles.filter((title) => title.toLowerCase().includes(text.toLowerCase()));
        expect(named(data)).toEqual(expected);
      }),
      { numRuns: 100 },
    );
  });
});

describe("ordering and paging of rows", () => {
  test("order sorts by several columns, with nulls first or last", async () => {
    const { data } = await rest
      .client()
      .from("profiles")
      .select("username")
      .order("years_experience", { ascending: false, nullsFirst: true })
      .order("username");
    expect(data).toEqual([{ username: "grace" }, { username: "ada" }]);
    const last = await rest
      .client()
      .from("profiles")
      .select("username")
      .order("years_experience", { ascending: false, nullsFirst: false });
    expect(last.data).toEqual([{ username: "ada" }, { username: "grace" }]);
  });

  test("range() and limit() return only the requested rows, and none after the end", async () => {
    expect(named((await inOrder().range(1, 2)).data)).toEqual(["beta", "50% off"]);
    expect(named((await inOrder().limit(0)).data)).toEqual([]);
    expect(named((await inOrder().range(100, 200)).data)).toEqual([]);
  });

  test("a complete list gets 200, a counted part of it 206, and an offset past its end or a reversed range 416", async () => {
    const get = (search: string, headers: Record<string, string> = {}) =>
      rest.request(`useful_links?select=id&order=id&${search}`, { headers });
    const exact = { prefer: "count=exact" };
    const statusAndRange = async (response: Promise<Response>) => {
      const { status, headers } = await response;
      return [status, headers.get("content-range")];
    };
    expect(await statusAndRange(get(""))).toEqual([200, "0-8/*"]);
    expect(await statusAndRange(get("", exact))).toEqual([200, "0-8/9"]);
    expect(await statusAndRange(get("limit=2&offset=3", exact))).toEqual([206, "3-4/9"]);
    expect(await statusAndRange(get("", { ...exact, range: "0-3" }))).toEqual([206, "0-3/9"]);
    expect(await statusAndRange(get("title=eq.none", exact))).toEqual([200, "*/0"]);
    expect(await statusAndRange(get("offset=10", exact))).toEqual([416, "*/9"]);
    expect(await statusAndRange(get("", { range: "3-1" }))).toEqual([416, null]);
  });

  test("the header Range selects from the page that limit and offset describe", async () => {
    const get = async (search: string, range: string) => {
      const response = await rest.request(`useful_links?select=title&order=created_at&${search}`, {
        headers: { range, prefer: "count=exact" },
      });
      return [response.status, response.headers.get("content-range")];
    };
    expect(await get("limit=5", "3-8")).toEqual([206, "3-4/9"]);
    expect(await get("limit=5&offset=2", "0-3")).toEqual([206, "2-3/9"]);
    expect(await get("limit=2", "5-8")).toEqual([416, null]);
  });

  test("times are in the time zone that the client prefers", async () => {
    const created = async (prefer: string) => {
      const response = await rest.request("useful_links?select=created_at&limit=1", { headers: { prefer } });
      const [row] = await response.json();
      return [row.created_at.slice(-6), response.headers.get("preference-applied")];
    };
    expect(await created("timezone=Asia/Kathmandu")).toEqual(["+05:45", "timezone=Asia/Kathmandu"]);
    expect(await created("")).toEqual(["+00:00", null]);
  });

  test("a HEAD request gets the number of rows without a body", async () => {
    const { count, data, status } = await links()
      .select("*", { count: "exact", head: true })
      .ilike("title", "a*");
    expect({ count, data, status }).toEqual({ count: 2, data: null, status: 200 });
    const response = await rest.request("useful_links?limit=1", {
      method: "HEAD",
      headers: { prefer: "count=exact" },
    });
    expect([response.status, response.headers.get("content-range"), await response.text()]).toEqual([
      206,
      "0-0/9",
      "",
    ]);
  });

  test("consecutive ranges return every row exactly once", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 10 }), async (size) => {
        const read: string[] = [];
        for (let from = 0; ; from += size) {
          const { data } = await inOrder().range(from, from + size - 1);
          read.push(...(named(data) ?? []));
          if ((data?.length ?? 0) < size) break;
        }
        expect(read).toEqual(titles);
      }),
      { numRuns: 10 },
    );
  });
});

describe("embedding rows of related tables", () => {
  test("a parent row can be embedded by table, alias, hint, column or constraint", async () => {
    for (const [select, key] of [
      ["profiles(username)", "profiles"],
      ["author:profiles(username)", "author"],
      ["profiles!useful_links_profile_id_fkey(username)", "profiles"],
      ["profiles!profile_id(username)", "profiles"],
      ["profile_id(username)", "profile_id"],
      ["useful_links_profile_id_fkey(username)", "useful_links_profile_id_fkey"],
    ] as const) {
      const { data, error } = await links().select(`title,${select}`).eq("title", "Alpha");
      expect(error).toBeNull();
      expect(data).toEqual([{ title: "Alpha", [key]: { username: "grace" } }]);
    }
  });

  test("embedded child rows can be filtered, ordered and limited separately", async () => {
    const { data } = await rest
      .client()
      .from("profiles")
      .select("username, skills(proficiency), useful_links(title)")
      .gte("skills.proficiency", 2)
      .order("proficiency", { referencedTable: "skills" })
      .limit(2, { referencedTable: "useful_links" })
      .order("title", { referencedTable: "useful_links" })
      .order("username");
    expect(data).toMatchObject([
      { username: "ada", skills: [{ proficiency: 3 }, { proficiency: 5 }] },
      { username: "grace", skills: [], useful_links: [{ title: "50% off" }, { title: "Alpha" }] },
    ]);
    expect(data?.map((row) => row.useful_links.length)).toEqual([2, 2]);
  });

  test("!inner excludes rows without a match from the result and from the count", async () => {
    const select = "title, profiles!inner(username)";
    const found = await links().select(select, { count: "exact" }).eq("profiles.username", "grace").limit(2);
    expect(found.count).toBe(3);
    expect(found.data).toHaveLength(2);
    const byEither = await links()
      .select("title, author:profiles!inner(username)")
      .or("username.ilike.*ADA*,full_name.ilike.*nobody*", { referencedTable: "author" });
    expect(byEither.data).toHaveLength(6);
    const silent = await links()
      .select("title, profiles!inner()")
      .eq("profiles.username", "grace")
      .order("created_at");
    expect(silent.data).toEqual([{ title: "Alpha" }, { title: "beta" }, { title: "50% off" }]);
  });

  test("a filter on an embedded resource without !inner keeps the parent rows", async () => {
    const { data } = await links()
      .select("title, profiles(username)")
      .eq("profiles.username", "grace")
      .eq("title", "a_b");
    expect(data).toEqual([{ title: "a_b", profiles: null }]);
  });
});

describe("selecting and sorting by a related row", () => {
  test("a spread makes the columns of a related row columns of the row itself", async () => {
    const { data, error } = await links()
      .select("title, ...profiles!inner(author:username, years_experience)")
      .eq("profiles.username", "grace")
      .order("title");
    expect(error).toBeNull();
    expect(data).toEqual(
      ["50% off", "Alpha", "beta"].map((title) => ({ title, author: "grace", years_experience: null })),
    );
    const counted = await links().select("title, ...profiles(total:count())").limit(1).single();
    expect(counted.data).toMatchObject({ total: 1 });
  });

  test("order can name a column of a related row", async () => {
    const sorted = async (ascending: boolean, alias: string) =>
      (
        await links()
          .select(`title, ${alias}profiles(username)`)
          .order("username", { ascending, referencedTable: "profiles" })
      ).data;
    expect(await sorted(true, "")).toHaveLength(titles.length);
    const response = await rest.request(
      "useful_links?select=title,...profiles(username)&order=profiles(username).desc,title&limit=4",
    );
    expect((await response.json()).map(Object.values)).toEqual([
      ["50% off", "grace"],
      ["Alpha", "grace"],
      ["beta", "grace"],
      ["a_b", "ada"],
    ]);
  });
});

test("is.null finds the rows without related rows, also in a group", async () => {
  const names = async (search: string) => {
    const response = await rest.request(`profiles?order=username&select=username,${search}`);
    return (await response.json()).map(({ username }: { username: string }) => username);
  };
  expect(await names("useful_links()&useful_links=not.is.null")).toEqual(["ada", "grace"]);
  expect(await names("links:useful_links()&links.title=eq.a_b&links=is.null")).toEqual(["grace"]);
  expect(await names("useful_links()&useful_links.title=eq.a_b&useful_links=is.not_null")).toEqual(["ada"]);
  expect(await names("skills()&or=(skills.is.null,username.eq.nobody)")).toEqual(["grace"]);
  expect(await names("useful_links!inner(id)&useful_links.limit=0")).toEqual([]);
});

test("a column and a relationship can be selected twice under different names", async () => {
  const { data, error } = await rest
    .client()
    .from("profiles")
    .select(
      '*, "Name of person":username, first:useful_links(title), last:useful_links(title, heading:title)',
    )
    .eq("username", "grace")
    .order("title", { referencedTable: "first" })
    .order("title", { referencedTable: "last", ascending: false })
    .limit(1, { referencedTable: "first" })
    .limit(1, { referencedTable: "last" })
    .single();
  expect(error).toBeNull();
  expect(data).toMatchObject({
    username: "grace",
    "Name of person": "grace",
    first: [{ title: "50% off" }],
    last: [{ title: "beta", heading: "beta" }],
  });
});

test("select can rename a column in the response", async () => {
  const { data } = await links().select("name:title, category").eq("title", "beta");
  expect(data).toEqual([{ name: "beta", category: "SQL" }]);
});

test("a list is sent as JSON in UTF-8, with Cache-Control: no-store", async () => {
  const { headers } = await rest.request("useful_links?limit=1");
  expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(headers.get("cache-control")).toBe("no-store");
});

test("a single row is sent with the media type for an object", async () => {
  const accept = "application/vnd.pgrst.object+json";
  const { headers } = await rest.request("useful_links?limit=1", { headers: { accept } });
  expect(headers.get("content-type")).toBe(`${accept}; charset=utf-8`);
});

test("a read does not make cached pages stale", async () => {
  await rest.request("useful_links");
  expect(rest.onWrite).not.toHaveBeenCalled();
});

describe("counting the rows of an embedded table", () => {
  test("table(count) returns a number per row, which respects the filters of the table", async () => {
    const counted = await rest
      .client()
      .from("profiles")
      .select("username, useful_links(count)")
      .in("username", ["ada", "grace"])
      .order("username");
    expect(counted.data).toEqual([
      { username: "ada", useful_links: [{ count: 6 }] },
      { username: "grace", useful_links: [{ count: 3 }] },
    ]);
    const filtered = await rest
      .client()
      .from("profiles")
      .select("links:useful_links(total:count())")
      .eq("username", "ada")
      .eq("links.title", "a_b")
      .single();
    expect(filtered.data).toEqual({ links: [{ total: 1 }] });
    const toOne = await rest.client().from("useful_links").select("profiles(count)").limit(1).single();
    expect(toOne.data).toEqual({ profiles: { count: 1 } });
  });

  test.each([
    ["useful_links?select=count", "PGRST123"],
    ["useful_links?select=count()", "PGRST123"],
    ["useful_links?select=category,total:count()", "PGRST123"],
    ["profiles?select=years_experience.sum()", "PGRST123"],
    ["profiles?select=id,useful_links(max:created_at.max())", "PGRST123"],
    ["profiles?select=id,useful_links(count,title)", "PGRST127"],
    ["profiles?select=id,useful_links(count)&useful_links.limit=1", "PGRST127"],
    ["profiles?select=id,useful_links(count)&useful_links.order=title", "PGRST127"],
  ])("GET %s is rejected with %s, which names the cause", async (path, code) => {
    const response = await rest.request(path);
    const { message, details, ...error } = await response.json();
    expect([response.status, error.code]).toEqual([400, code]);
    expect(`${message} ${details}`).toMatch(/aggregate|count/);
  });
});

describe("filters on columns with arrays", () => {
  const names = async (filter: (query: ReturnType<typeof profiles>) => ReturnType<typeof profiles>) =>
    (await filter(profiles())).data?.map(({ username }) => username);
  const profiles = () => rest.client().from("profiles").select("username");

  test("can be filtered with contains, containedBy and overlaps", async () => {
    expect(await names((query) => query.contains("featured_skills", ["SQL"]))).toEqual(["ada"]);
    expect(await names((query) => query.contains("featured_skills", ["SQL", "Go"]))).toEqual([]);
    expect(await names((query) => query.overlaps("featured_skills", ["SQL", "Go"]))).toEqual(["ada"]);
    expect(await names((query) => query.contains("featured_skills", '{"Python, 3"}'))).toEqual(["ada"]);
    const contained = await names((query) =>
      query.containedBy("featured_skills", '{SQL,"Python, 3",Go}').not("username", "is", null),
    );
    expect(contained?.toSorted()).toEqual(["ada", "grace"]);
    expect(await names((query) => query.or("featured_skills.cs.{SQL},username.eq.grace"))).toHaveLength(2);
    expect(await names((query) => query.not("featured_skills", "cs", "{SQL}").eq("username", "ada"))).toEqual(
      [],
    );
  });

  test("are compared only with arrays", async () => {
    expect((await rest.request("profiles?featured_skills=cs.SQL")).status).toBe(400);
    expect((await rest.request("profiles?username=cs.{a}")).status).toBe(404);
  });
});
