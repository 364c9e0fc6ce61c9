import fc from "fast-check";
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { startTestRest } from "../../tests/support/rest.ts";
import { LIMITS } from "../config/limits.ts";

const rest = await startTestRest();
const ada = await rest.signedIn();
const member = rest.client(ada.token);
afterAll(() => rest.stop());
beforeEach(async () => {
  await rest.admin.query("delete from public.skills");
  rest.onWrite.mockClear();
});

const skill = (name: string, more: object = {}) => ({ profile_id: ada.id, name, ...more });

/** Sends a request that supabase-js cannot send, with the member's token. */
function send(method: string, path: string, body: unknown, prefer = "") {
  return rest.request(path, {
    method,
    headers: { authorization: `Bearer ${ada.token}`, "content-type": "application/json", prefer },
    body: JSON.stringify(body),
  });
}

describe("inserting rows into a table", () => {
  test("an insert returns rows only if the client asks for them", async () => {
    expect(await member.from("skills").insert(skill("a"))).toMatchObject({
      status: 201,
      data: null,
      error: null,
    });
    const { data, status } = await member
      .from("skills")
      .insert(skill("b"))
      .select("name, profiles(id)")
      .single();
    expect({ data, status }).toEqual({ status: 201, data: { name: "b", profiles: { id: ada.id } } });
  });

  test("a field missing from one row of a list is inserted as null, as in PostgREST", async () => {
    const rows = [skill("a", { proficiency: 5 }), skill("b", { category: "aws" })];
    expect((await member.from("skills").insert(rows)).error).toMatchObject({ code: "23502" });
  });

  test("a row that lacks a field gets the column's default with defaultToNull: false", async () => {
    const rows = [
      { author_id: ada.id, title: "a", content: "a", published: true },
      { author_id: ada.id, title: "b", content: "b" },
    ];
    const { data, error } = await member
      .from("articles")
      .insert(rows, { defaultToNull: false })
      .select("title, published, created_at");
    expect(error).toBeNull();
    expect(data?.map(({ title, published }) => [title, published])).toEqual([
      ["a", true],
      ["b", false],
    ]);
    const skills = [skill("c", { proficiency: 5 }), skill("d", { category: "aws" })];
    const upserted = await member.from("skills").upsert(skills, { defaultToNull: false }).select("category");
    expect(upserted.data).toEqual([{ category: "python" }, { category: "aws" }]);
  });

  test("an explicit null stays null with missing=default", async () => {
    const row = skill("a", { category: null });
    const { error } = await member.from("skills").insert([row, skill("b")], { defaultToNull: false });
    expect(error).toMatchObject({ code: "23502" });
  });

  test("inserting an empty list does nothing", async () => {
    const { data, status } = await member.from("skills").insert([]).select();
    expect({ data, status }).toEqual({ data: [], status: 201 });
    expect(rest.onWrite).not.toHaveBeenCalled();
  });

  test("an insert writes only the fields that are listed in the query parameter columns", async () => {
    await send("POST", "skills?columns=profile_id,name", skill("a", { category: "aws", nonsense: 1 }));
    expect((await member.from("skills").select("category").single()).data).toEqual({ category: "python" });
  });

  test("an insert with one invalid row stores no row", async () => {
    const { error } = await member
      .from("skills")
      .insert([skill("a", { proficiency: 1 }), skill("b", { proficiency: 9 })]);
    expect(error).toMatchObject({ code: "23514" });
    expect((await member.from("skills").select()).data).toEqual([]);
    expect(rest.onWrite).not.toHaveBeenCalled();
  });

  test("one insert stores five hundred rows", async () => {
    const rows = Array.from({ length: 500 }, (_, at) => ({
      author_id: ada.id,
      title: `n${at}`,
      content: "x",
    }));
    const { count, error } = await member.from("articles").insert(rows, { count: "exact" });
    expect({ count, error }).toEqual({ count: 500, error: null });
    expect(rest.onWrite).toHaveBeenCalledOnce();
  });

  test("one insert stores the most rows that a request may contain", async () => {
    const smallest = { author_id: ada.id.replaceAll("-", ""), title: "x", content: "x" };
    const { count, error } = await member
      .from("articles")
      .insert(Array(LIMITS.data.rows).fill(smallest), { count: "exact" });
    expect({ count, error }).toEqual({ count: LIMITS.data.rows, error: null });
  });

  test("PostgreSQL stores as many small rows as fit in 1 MiB, with their search documents, before a statement times out", async () => {
    const most = Math.floor(
      1_048_575 /
        (JSON.stringify({ author_id: ada.id.replaceAll("-", ""), title: "x", content: "x" }).length + 1),
    );
    expect(most).toBe(13_981);
    const client = await rest.admin.connect();
    // Closes the connection, which also ends a transaction that has failed.
    onTestFinished(() => client.release(true));
    await client.query(`begin; set local statement_timeout = ${LIMITS.database.memberStatementMs}`);
    const { rowCount } = await client.query(
      `insert into public.articles (author_id, title, content)
       select $1, 'x', 'x' from generate_series(1, $2::integer)`,
      [ada.id, most],
    );
    expect(rowCount).toBe(most);
  });

  test("inserting a row with an existing id gets 409 and reveals nothing about the existing row", async () => {
    const id = crypto.randomUUID();
    await member.from("skills").insert(skill("a", { id }));
    expect(await member.from("skills").insert(skill("b", { id }))).toMatchObject({
      status: 409,
      error: {
        code: "23505",
        message: 'duplicate key value violates unique constraint "skills_pkey"',
        details: null,
        hint: null,
      },
    });
  });

  test("a number larger than 2^53 is not rounded before PostgreSQL rejects it", async () => {
    const response = await rest.request("skills", {
      method: "POST",
      headers: { authorization: `Bearer ${ada.token}`, "content-type": "application/json" },
      body: JSON.stringify(skill("a", { proficiency: 0 })).replace(
        '"proficiency":0',
        '"proficiency":9007199254740993',
      ),
    });
    expect((await response.json()).message).toContain("9007199254740993");
  });
});

describe("upserting rows into a table", () => {
  test("an upsert that ignores duplicates inserts only the new rows", async () => {
    const id = crypto.randomUUID();
    await member.from("skills").insert(skill("a", { id }));
    const response = await member
      .from("skills")
      .upsert([skill("changed", { id }), skill("b", { id: crypto.randomUUID() })], { ignoreDuplicates: true })
      .select("name");
    expect([response.status, response.data]).toEqual([201, [{ name: "b" }]]);
    const { data } = await member.from("skills").select("name").eq("id", id);
    expect(data).toEqual([{ name: "a" }]);
  });

  test("an upsert gets 201 if any of its rows is new, and otherwise 200", async () => {
    const [a, b] = [skill("a", { id: crypto.randomUUID() }), skill("b", { id: crypto.randomUUID() })];
    expect((await member.from("skills").upsert(a)).status).toBe(201);
    expect((await member.from("skills").upsert([a, b])).status).toBe(201);
    expect((await member.from("skills").upsert([a, b])).status).toBe(200);
    expect((await member.from("skills").select()).data).toHaveLength(2);
  });

  test("an upsert changes only the fields in its payload", async () => {
    const id = crypto.randomUUID();
    await member.from("skills").insert(skill("a", { id, proficiency: 5 }));
    const { data } = await member
      .from("skills")
      .upsert(skill("b", { id }))
      .select("name,proficiency")
      .single();
    expect(data).toEqual({ name: "b", proficiency: 5 });
  });

  test("an upsert with the same row twice is rejected with 400", async () => {
    const id = crypto.randomUUID();
    expect(await member.from("skills").upsert([skill("a", { id }), skill("b", { id })])).toMatchObject({
      status: 400,
      error: { code: "21000" },
    });
  });

  test("an upsert with on_conflict on a column without a unique constraint is rejected", async () => {
    const response = await member.from("skills").upsert(skill("a"), { onConflict: "name" });
    expect(response).toMatchObject({ status: 400, error: { code: "42P10" } });
  });
});

describe("updating rows of a table", () => {
  test("an update changes the rows that match its filter and can return them", async () => {
    await member.from("skills").insert([skill("a"), skill("b"), skill("c")]);
    const { data, count, status } = await member
      .from("skills")
      .update({ proficiency: 1 }, { count: "exact" })
      .in("name", ["a", "b"])
      .select("name, proficiency")
      .order("name", { ascending: false });
    expect({ data, count, status }).toEqual({
      status: 200,
      count: 2,
      data: [
        { name: "b", proficiency: 1 },
        { name: "a", proficiency: 1 },
      ],
    });
  });

  test("an update that matches no row succeeds and does not make cached pages stale", async () => {
    const { data, error } = await member.from("skills").update({ name: "x" }).eq("name", "none").select();
    expect({ data, error }).toEqual({ data: [], error: null });
    expect(rest.onWrite).not.toHaveBeenCalled();
  });

  test("an update without fields returns no row", async () => {
    await member.from("skills").insert(skill("a"));
    expect((await member.from("skills").update({}).eq("name", "a").select()).data).toEqual([]);
  });

  test('an update distinguishes null from the text "null"', async () => {
    await member.from("profiles").update({ bio: "x", company: "null" }).eq("id", ada.id);
    const { data } = await member
      .from("profiles")
      .update({ bio: null })
      .eq("id", ada.id)
      .select("bio,company")
      .single();
    expect(data).toEqual({ bio: null, company: "null" });
  });

  test("an update of several rows is rolled back if the client asked for one object", async () => {
    await member.from("skills").insert([skill("a"), skill("b")]);
    const response = await member
      .from("skills")
      .update({ category: "aws" })
      .eq("profile_id", ada.id)
      .select()
      .single();
    expect(response).toMatchObject({
      status: 406,
      error: { code: "PGRST116", details: "The result contains 2 rows" },
    });
    expect((await member.from("skills").select().eq("category", "aws")).data).toEqual([]);
  });
});

describe("a write with maxAffected", () => {
  const named = async () => (await member.from("skills").select("name").order("name")).data;

  test("changes nothing if it affects more rows", async () => {
    await member.from("skills").insert([skill("a"), skill("b")]);
    const before = await named();
    rest.onWrite.mockClear();
    const tooMany = {
      status: 400,
      error: { code: "PGRST124", details: "The query affects 2 rows" },
    };
    const update = member.from("skills").update({ name: "x" }).eq("profile_id", ada.id);
    expect(await update.maxAffected(1)).toMatchObject(tooMany);
    expect(await member.from("skills").delete().eq("profile_id", ada.id).maxAffected(1)).toMatchObject(
      tooMany,
    );
    expect(await send("POST", "skills", [skill("c"), skill("d")], "max-affected=1")).toMatchObject({
      status: 400,
    });
    expect(await named()).toEqual(before);
    expect(rest.onWrite).not.toHaveBeenCalled();
  });

  test("succeeds if it affects as many rows", async () => {
    await member.from("skills").insert([skill("a"), skill("b")]);
    const update = member.from("skills").update({ proficiency: 1 }).eq("profile_id", ada.id);
    expect(await update.select("proficiency").maxAffected(2)).toMatchObject({
      error: null,
      data: [{ proficiency: 1 }, { proficiency: 1 }],
    });
  });
});

test("an upsert returns its rows in the requested order and number", async () => {
  const rows = [skill("a"), skill("c"), skill("b")];
  const upsert = member
    .from("skills")
    .upsert(rows)
    .select("name")
    .order("name", { ascending: false })
    .limit(2);
  expect((await upsert).data).toEqual([{ name: "c" }, { name: "b" }]);
});

test("an update with missing=default sets a listed column that its row lacks to its default", async () => {
  await member.from("skills").insert(skill("a", { category: "aws" }));
  await send("PATCH", "skills?name=eq.a&columns=name,category", { name: "b" }, "missing=default");
  expect((await member.from("skills").select("name,category").single()).data).toEqual({
    name: "b",
    category: "python",
  });
});

test("a delete returns the deleted rows if the client asks for them", async () => {
  await member.from("skills").insert([skill("a"), skill("b")]);
  const { data, status } = await member.from("skills").delete().eq("name", "a").select("name");
  expect({ data, status }).toEqual({ data: [{ name: "a" }], status: 200 });
  expect((await member.from("skills").select("name")).data).toEqual([{ name: "b" }]);
  expect(rest.onWrite).toHaveBeenCalledTimes(2);
});

test("a write expires cached pages only once it is committed", async () => {
  // The commit waits for a lock that another connection holds.
  await rest.admin.query(
    `create function public.wait_for_lock() returns trigger language plpgsql security definer as
       'begin perform pg_advisory_xact_lock(1); return null; end';
     create constraint trigger wait_for_lock after insert on public.skills deferrable initially deferred
       for each row execute function public.wait_for_lock()`,
  );
  const other = await rest.admin.connect();
  await other.query("select pg_advisory_lock(1)");
  const inserted = Promise.resolve(member.from("skills").insert(skill("late")));
  onTestFinished(async () => {
    // Closing the connection releases the lock, also after a failure.
    other.release(true);
    await inserted;
    await rest.admin.query("drop function public.wait_for_lock() cascade");
  });
  const waiting = "select from pg_locks where locktype = 'advisory' and not granted";
  await expect.poll(async () => (await rest.admin.query(waiting)).rowCount).toBe(1);
  expect(rest.onWrite).not.toHaveBeenCalled();
  await other.query("select pg_advisory_unlock(1)");
  expect((await inserted).error).toBeNull();
  expect(rest.onWrite).toHaveBeenCalledOnce();
});

test("any text without NUL characters is stored and returned unchanged", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: "grapheme" }),
      fc.array(fc.string({ unit: "grapheme" })),
      async (text, list) => {
        fc.pre(![text, ...list].join("").includes("\0"));
        const row = { id: ada.id, username: text, bio: text, featured_skills: list };
        const { data, error } = await member
          .from("profiles")
          .upsert(row)
          .select("id,username,bio,featured_skills")
          .single();
        expect(error).toBeNull();
        expect(data).toEqual(row);
      },
    ),
    { numRuns: 100, examples: [["'; drop table public.profiles; --", ['"', "\\", "{}", ",", "NULL", "$1"]]] },
  );
});

test("onWrite is called only after other connections see the changed row", async () => {
  const seen: Promise<unknown>[] = [];
  rest.onWrite.mockImplementation(() => {
    const query = rest.admin.query("select proficiency from public.skills where name = 'seen'");
    seen.push(query.then(({ rows }) => rows));
  });
  /** The next write must not overtake the query. */
  const queried = () => Promise.all(seen);
  await member
    .from("skills")
    .insert(skill("seen", { proficiency: 1 }))
    .throwOnError();
  await queried();
  await member.from("skills").update({ proficiency: 2 }).eq("name", "seen").throwOnError();
  await queried();
  await member.from("skills").delete().eq("name", "seen").throwOnError();
  rest.onWrite.mockReset();
  expect(await queried()).toEqual([[{ proficiency: 1 }], [{ proficiency: 2 }], []]);
});

describe("the headers of a response to a write", () => {
  test("name the preferences that were applied", async () => {
    const created = await send("POST", "skills", skill("a"), "return=minimal, nosuch=1, count=exact");
    expect(created.headers.get("preference-applied")).toBe("return=minimal, count=exact");
    const none = await send("PATCH", "skills?name=eq.a", { name: "b" }, "resolution=merge-duplicates");
    expect([none.status, none.headers.get("preference-applied")]).toEqual([204, null]);
  });

  test("an update numbers its rows, like PostgREST", async () => {
    await member.from("skills").insert([skill("a"), skill("b")]);
    const update = (filter: string, prefer: string) =>
      send("PATCH", `skills?name=${filter}`, { proficiency: 3 }, prefer);
    const ranges = [
      [await update("in.(a,b)", "count=exact"), "0-1/2"],
      [await update("eq.a", "return=representation"), "0-0/*"],
      [await update("eq.none", "count=exact"), "*/0"],
      [await send("DELETE", "skills?name=eq.a", {}, "count=exact"), "*/1"],
    ] as const;
    for (const [response, range] of ranges) expect(response.headers.get("content-range")).toBe(range);
  });

  test("with return=headers-only, an insert of one row names its location", async () => {
    const created = await send("POST", "skills", skill("x"), "return=headers-only");
    const location = created.headers.get("location") ?? "";
    expect([created.status, await created.text()]).toEqual([201, ""]);
    expect(location).toMatch(/^\/skills\?id=eq\.[0-9a-f-]{36}$/);
    expect(await (await rest.request(location.slice(1))).json()).toMatchObject([{ name: "x" }]);
    const several = await send("POST", "skills", [skill("y"), skill("z")], "return=headers-only");
    expect([several.status, several.headers.get("location")]).toEqual([201, null]);
    const minimal = await send("POST", "skills", skill("w"), "return=minimal");
    expect(minimal.headers.get("location")).toBeNull();
  });
});
