import { createClient } from "@supabase/supabase-js";
import { Hono } from "hono";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Member, startTestRest, type TestRest } from "../../tests/support/rest.ts";
import { createRest } from "./rest-routes.ts";

const FUNCTIONS = `
  create function public.find_links(wanted text, at_most int default 10) returns setof public.useful_links
    language sql stable as 'select * from public.useful_links where title ilike wanted limit at_most';
  create function public.links_as_json(wanted text) returns setof json
    language sql stable as 'select json_build_object(''title'', title) from public.useful_links where title ilike wanted order by title';
  create function public.counts() returns jsonb language sql stable as
    'select jsonb_build_object(''links'', count(*)) from public.useful_links';
  create function public.add_up(a int, b int) returns int language sql immutable as 'select a + b';
  create function public.add_up(a text) returns text language sql immutable as 'select a';
  create function public.joined(parts text[]) returns text language sql immutable as 'select array_to_string(parts, ''+'')';
  create function public.pairs() returns table (n int, letter text) language sql stable as
    'values (1, ''a''), (2, ''b''), (3, ''c'')';
  create function public.touch(new_title text) returns void language sql as
    'update public.useful_links set title = new_title';
  create function public.for_members() returns text language sql stable as 'select current_user::text';
  create function public.for_everybody_by_default() returns int language sql stable as 'select 1';
  create function public.revoked() returns int language sql stable as 'select 1';
  create function public.on_write() returns trigger language plpgsql as 'begin return new; end';
  grant execute on function public.find_links, public.links_as_json, public.counts, public.add_up(int, int),
    public.add_up(text), public.joined, public.pairs, public.on_write to anon, authenticated;
  grant execute on function public.touch, public.for_members to authenticated;
  revoke execute on function public.revoked from public`;

let rest: TestRest;
let app: Hono;
let ada: Member;

beforeAll(async () => {
  rest = await startTestRest();
  ada = await rest.signedIn();
  await rest.admin.query(FUNCTIONS);
  await rest.admin.query(
    `insert into public.useful_links (profile_id, title, url, category)
     select $1, 'Link ' || n, 'https://example.com/', 'SQL' from generate_series(1, 5) as n`,
    [ada.id],
  );
  app = new Hono().route("/rest/v1", await createRest({ ...rest, onWrite: () => undefined }));
});
afterAll(() => rest.stop());

function client(token?: string) {
  return createClient("http://techfolio.test", rest.keys.anonKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    global: { fetch: async (input, init) => app.request(new Request(input, init)) },
    ...(token === undefined ? {} : { accessToken: async () => token }),
  });
}

test.each([false, true])(
  "a function that returns rows of a table takes select, filters, order, limit and count (get: %s)",
  async (get) => {
    const { data, count, status, error } = await client()
      .rpc("find_links", { wanted: "link%" }, { get, count: "exact" })
      .select("title, author:profiles(id)")
      .neq("title", "Link 5")
      .order("title", { ascending: false })
      .range(1, 2);
    expect({ error, status, count, data }).toEqual({
      error: null,
      status: 206,
      count: 4,
      data: ["Link 3", "Link 2"].map((title) => ({ title, author: { id: ada.id } })),
    });
  },
);

test.each([false, true])(
  "values, JSON, sets of JSON and lists as arguments travel as PostgREST sends them (get: %s)",
  async (get) => {
    const visitor = client();
    expect((await visitor.rpc("add_up", { a: 2, b: 3 }, { get })).data).toBe(5);
    expect((await visitor.rpc("add_up", { a: "x" }, { get })).data).toBe("x");
    expect((await visitor.rpc("counts", {}, { get })).data).toEqual({ links: 5 });
    expect((await visitor.rpc("links_as_json", { wanted: "% 1" }, { get })).data).toEqual([
      { title: "Link 1" },
    ]);
    expect((await visitor.rpc("links_as_json", { wanted: "nothing" }, { get })).data).toEqual([]);
    expect((await visitor.rpc("joined", { parts: ["a", "b"] }, { get })).data).toBe("a+b");
    expect(
      (await visitor.rpc("pairs", {}, { get }).select("letter").gt("n", 1).limit(1).single()).data,
    ).toEqual({ letter: "b" });
    expect((await visitor.rpc("find_links", { wanted: "Link%" }, { get }).limit(2)).data).toHaveLength(2);
    expect((await visitor.rpc("find_links", { wanted: "Link%" }, { get }).single()).error?.code).toBe(
      "PGRST116",
    );
  },
);

test("an argument that reads like a filter stays an argument", async () => {
  expect((await client().rpc("add_up", { a: "eq.1" }, { get: true })).data).toBe("eq.1");
});

test("a HEAD counts without sending rows", async () => {
  const { data, count } = await client().rpc(
    "find_links",
    { wanted: "link%" },
    { head: true, count: "exact" },
  );
  expect({ data, count }).toEqual({ data: null, count: 5 });
});

test("a function that changes rows runs by POST alone, under the caller's rights", async () => {
  const grace = await rest.signedIn();
  const asGrace = client(grace.token);
  expect(await asGrace.rpc("touch", { new_title: "Taken" }, { get: true })).toMatchObject({ status: 405 });
  expect(await asGrace.rpc("touch", { new_title: "Taken" })).toMatchObject({ status: 204, error: null });
  expect((await rest.admin.query("select from public.useful_links where title = 'Taken'")).rowCount).toBe(0);
  expect((await asGrace.rpc("for_members")).data).toBe("authenticated");
  expect(await client().rpc("for_members")).toMatchObject({ status: 401, error: { code: "42501" } });
});

test.each([
  ["for_everybody_by_default", {}],
  ["revoked", {}],
  ["on_write", {}],
  ["nope", {}],
  ["session_is_live", {}],
  ["add_up", { a: 1, c: 2 }],
  ["find_links", {}],
])("%s with %j is unknown to every role", async (name, sent) => {
  for (const caller of [client(), client(ada.token), client(rest.keys.serviceKey)]) {
    for (const get of [true, false]) {
      const { status, error } = await caller.rpc(name, sent, { get });
      expect([
        status,
        error?.code,
        error?.message.startsWith(`Could not find the function public.${name}`),
      ]).toEqual([404, "PGRST202", true]);
    }
  }
});

test.each([
  ["GET", "add_up?a=x&b=1", undefined, 400, "22P02"],
  ["GET", "find_links?wanted=a&select=nope", undefined, 400, "42703"],
  ["GET", "find_links?wanted=a&title=xx.1", undefined, 404, "PGRST202"],
  ["PATCH", "counts", "{}", 405, "PGRST101"],
  ["POST", "counts", "[]", 400, "PGRST102"],
  ["POST", "counts", "1", 400, "PGRST102"],
  ["POST", "add_up", '{"a": "x", "b": 1}', 400, "22P02"],
  ["POST", "counts", "", 200, undefined],
])("%s %s with %j is answered as PostgREST does", async (method, path, body, status, code) => {
  const answer = await app.request(`http://techfolio.test/rest/v1/rpc/${path}`, {
    method,
    headers: { apikey: rest.keys.anonKey, "content-type": "application/json" },
    ...(body === undefined ? {} : { body }),
  });
  expect([answer.status, (await answer.json()).code]).toEqual([status, code]);
});
