// Tests the database calls that docs/specification.txt lists in §7. The test titles contain the numbers of that list.
import { afterAll, expect, test } from "vitest";
import { startTestRest } from "../../tests/support/rest.ts";

const day = (n: number) => `2025-01-${String(n).padStart(2, "0")}T12:00:00+00:00`;

const rest = await startTestRest();
const ada = await rest.signedIn();
const visitor = rest.client();
const member = rest.client(ada.token);
await seed();
afterAll(() => rest.stop());

/**
 * Creates six members with 1 to 6 years of experience, of whom five are featured. Ada gets three skills, and 12
 * articles, useful links and code samples each.
 */
async function seed() {
  await rest.admin.query(
    "update public.profiles set username = 'ada', full_name = 'Ada L.', years_experience = 1, featured = true where id = $1",
    [ada.id],
  );
  for (let n = 2; n <= 6; n += 1) {
    const { id } = await rest.signedIn();
    await rest.admin.query(
      "update public.profiles set username = $2, years_experience = $3, featured = $4 where id = $1",
      [id, `member${n}`, n, n < 6],
    );
  }
  for (let n = 1; n <= 12; n += 1) {
    await rest.admin.query(
      "insert into public.articles (author_id, title, content, published, created_at) values ($1, $2, 'text', $3, $4)",
      [ada.id, `Article ${n}`, n % 2 === 0, day(n)],
    );
    await rest.admin.query(
      "insert into public.useful_links (profile_id, title, url, category, created_at) values ($1, $2, 'https://example.com/', 'SQL', $3)",
      [ada.id, `Link ${n}`, day(n)],
    );
    await rest.admin.query(
      "insert into public.code_samples (profile_id, title, code_content, language, created_at) values ($1, $2, 'pass', 'python', $3)",
      [ada.id, `Sample ${n}`, day(n)],
    );
  }
  for (const [category, name, proficiency] of [
    ["sql", "Joins", 2],
    ["python", "asyncio", 5],
    ["aws", "Lambda", 4],
  ]) {
    await rest.admin.query(
      "insert into public.skills (profile_id, category, name, proficiency) values ($1, $2, $3, $4)",
      [ada.id, category, name, proficiency],
    );
  }
}

test("call 4 of the specification returns the three latest published articles with their authors", async () => {
  const { data, error } = await visitor
    .from("articles")
    .select("*, profiles(username, full_name)")
    .eq("published", true)
    .order("created_at", { ascending: false })
    .limit(3);
  expect(error).toBeNull();
  expect(data?.map(({ title }) => title)).toEqual(["Article 12", "Article 10", "Article 8"]);
  expect(data?.[0]).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    author_id: ada.id,
    title: "Article 12",
    content: "text",
    published: true,
    created_at: day(12),
    updated_at: expect.any(String),
    profiles: { username: "ada", full_name: "Ada L." },
  });
});

test("call 5 of the specification returns the three most experienced featured profiles", async () => {
  const { data } = await visitor
    .from("profiles")
    .select("*")
    .eq("featured", true)
    .order("years_experience", { ascending: false })
    .limit(3);
  expect(data?.map(({ username }) => username)).toEqual(["member5", "member4", "member3"]);
});

test("call 6 of the specification returns one profile's skills, most proficient first", async () => {
  const { data } = await visitor
    .from("skills")
    .select("*")
    .eq("profile_id", ada.id)
    .order("proficiency", { ascending: false });
  expect(data?.map(({ proficiency }) => proficiency)).toEqual([5, 4, 2]);
});

test.each([
  [7, "useful_links", "Link"],
  [8, "code_samples", "Sample"],
])("call %d of the specification returns the ten latest rows of %s", async (_number, table, title) => {
  const { data } = await visitor.from(table).select("*").order("created_at", { ascending: false }).limit(10);
  expect(data?.map((row) => row.title)).toEqual(Array.from({ length: 10 }, (_, at) => `${title} ${12 - at}`));
});

test("call 9 of the specification returns one profile by its id, and no row for an unknown id", async () => {
  const { data } = await member.from("profiles").select("*").eq("id", ada.id).single();
  expect(data).toMatchObject({ id: ada.id, username: "ada", featured_skills: [] });
  const unknownId = crypto.randomUUID();
  expect(await member.from("profiles").select("*").eq("id", unknownId).maybeSingle()).toMatchObject({
    data: null,
    error: null,
  });
  expect(await member.from("profiles").select("*").eq("id", unknownId).single()).toMatchObject({
    data: null,
    status: 406,
    error: { code: "PGRST116", details: "The result contains 0 rows" },
  });
});

test("call 10 of the specification returns one profile's skills, ordered by category", async () => {
  const { data } = await member
    .from("skills")
    .select("*")
    .eq("profile_id", ada.id)
    .order("category", { ascending: true });
  expect(data?.map(({ category }) => category)).toEqual(["aws", "python", "sql"]);
});

test("call 11 of the specification saves a whole profile", async () => {
  const grace = await rest.signedIn();
  const profile = {
    id: grace.id,
    username: "grace",
    full_name: "Grace H.",
    bio: "Compilers\nand more",
    avatar_url: "https://example.com/a.png",
    current_title: "Admiral",
    company: "",
    years_experience: 40,
    featured: false,
    linkedin_url: "",
    featured_skills: ["COBOL", 'say "hi", {now}', ""],
  };
  rest.onWrite.mockClear();
  const response = await rest
    .client(grace.token)
    .from("profiles")
    .upsert({ ...profile, updated_at: new Date().toISOString() });
  expect(response).toMatchObject({ error: null, data: null, status: 200 });
  expect((await visitor.from("profiles").select("*").eq("id", grace.id).single()).data).toMatchObject(
    profile,
  );
  expect(rest.onWrite).toHaveBeenCalledOnce();
});

test("calls 12 to 14 of the specification add, change and delete a skill", async () => {
  const skill = { profile_id: ada.id, category: "tools", name: "git", proficiency: 3, years_experience: 1 };
  expect(await member.from("skills").insert(skill)).toMatchObject({ error: null, status: 201, data: null });
  const mine = () => visitor.from("skills").select("*").eq("name", "git").maybeSingle();
  const { data } = await mine();
  expect(data).toMatchObject(skill);

  const edited = { category: "aws", proficiency: 5, years_experience: 0 };
  expect(await member.from("skills").update(edited).eq("id", data.id)).toMatchObject({
    error: null,
    status: 204,
  });
  expect((await mine()).data).toMatchObject({ ...skill, ...edited });

  expect(await member.from("skills").delete().eq("id", data.id)).toMatchObject({ error: null, status: 204 });
  expect((await mine()).data).toBeNull();
});

test.each(["articles", "useful_links", "code_samples"])(
  "call 15 of the specification returns all rows of %s, newest first, with their authors",
  async (table) => {
    const { data } = await visitor
      .from(table)
      .select("*, profiles(username, full_name)")
      .order("created_at", { ascending: false });
    const rows = data?.filter(({ title }) => / \d+$/.test(title)) ?? [];
    expect(rows.map(({ created_at }) => created_at)).toEqual(
      Array.from({ length: 12 }, (_, at) => day(12 - at)),
    );
    expect(rows.every(({ profiles }) => profiles.full_name === "Ada L.")).toBe(true);
  },
);

const drafts = [
  ["articles", { title: "A", content: "# A", published: false }, "author_id", true],
  [
    "useful_links",
    { title: "L", url: "https://example.com/", description: "", category: "AWS" },
    "profile_id",
    false,
  ],
  ["code_samples", { title: "S", description: "", code_content: "ls", language: "bash" }, "profile_id", true],
] as const;

test.each(drafts)(
  "calls 16 and 17 of the specification create, edit and delete a row of %s",
  async (table, draft, owner, dated) => {
    const save = (row: object) =>
      member
        .from(table)
        .upsert({ ...row, [owner]: ada.id, ...(dated ? { updated_at: new Date().toISOString() } : {}) });
    const find = async () =>
      (await visitor.from(table).select("*").like("title", `${draft.title}%`).lte("title", `${draft.title}!`))
        .data;

    expect(await save(draft)).toMatchObject({ error: null, status: 201, data: null });
    const [created] = (await find()) ?? [];
    expect(created).toMatchObject({ ...draft, [owner]: ada.id });

    expect(await save({ ...draft, id: created.id, title: `${draft.title}!` })).toMatchObject({
      error: null,
      status: 200,
    });
    expect(await find()).toMatchObject([
      { id: created.id, title: `${draft.title}!`, created_at: created.created_at },
    ]);

    expect(await member.from(table).delete().eq("id", created.id)).toMatchObject({
      error: null,
      status: 204,
    });
    expect(await find()).toEqual([]);
  },
);
