import { createClient } from "@supabase/supabase-js";
import { Hono } from "hono";
import { afterAll, describe, expect, test } from "vitest";
import { inProcess } from "../../tests/support/in-process.ts";
import { startTestRest } from "../../tests/support/rest.ts";
import { createLog } from "../http/log.ts";
import { createRest } from "./rest-routes.ts";
import { readSchemaCache } from "./schema-cache.ts";

const FUNCTIONS = `
  create function public.titles_like(wanted text, at_most int default 10) returns setof json language sql stable as
    'select json_build_object(''title'', title) from public.useful_links where title ilike wanted order by title limit at_most';
  create function public.own_role() returns setof json language sql stable as 'select to_json(current_user::text)';
  create function public.joined(parts text[]) returns setof json language sql stable as
    'select to_json(array_to_string(parts, ''+''))';
  create function public.for_members() returns setof json language sql stable as 'select to_json(1)';
  create function public.touch(new_title text) returns setof json language sql as
    'update public.useful_links set title = new_title returning to_json(title)';
  create function public.rename_link(old_title text, new_title text) returns setof json language sql as
    'update public.useful_links set title = new_title where title = old_title returning to_json(title)';
  create function public.links_like(wanted text default '%') returns setof public.useful_links language sql stable as
    'select * from public.useful_links where title ilike wanted';
  create function public.sessions_of() returns setof auth.sessions language sql stable as 'select * from auth.sessions';
  create function public.for_everybody_by_default() returns setof json language sql stable as 'select to_json(1)';
  create function public.total() returns int language sql stable as 'select 1';
  create function public.twice(a int) returns setof json language sql stable as 'select to_json(a)';
  create function public.twice(a text) returns setof json language sql stable as 'select to_json(a)';
  create function public.on_write() returns trigger language plpgsql as 'begin return new; end';
  grant execute on function public.titles_like, public.own_role, public.joined, public.touch, public.total,
    public.links_like, public.sessions_of,
    public.on_write to anon, authenticated;
  grant execute on function public.for_members to authenticated;
  revoke execute on function public.rename_link from public;
  grant execute on function public.rename_link to service_role`;

const rest = await startTestRest();
const ada = await rest.signedIn();
await rest.admin.query(FUNCTIONS);
await rest.admin.query(
  `insert into public.useful_links (profile_id, title, url, category)
   select $1, 'Link ' || n, 'https://example.com/', 'SQL' from generate_series(1, 5) as n`,
  [ada.id],
);
const schemaCache = await readSchemaCache(rest.database);
const app = inProcess(new Hono()).route(
  "/rest/v1",
  createRest({ pipeline: rest.pipeline, schemaCache, onWrite: () => undefined }),
);
afterAll(() => rest.stop());

function client(token?: string) {
  return createClient("http://techfolio.test", rest.keys.anonKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    global: { fetch: async (input, init) => app.request(new Request(input, init)) },
    ...(token === undefined ? {} : { accessToken: async () => token }),
  });
}

test.each([
  ["POST", false],
  ["GET", true],
])(
  "a database function that is called with %s runs with the client's role and returns a list",
  async (_method, get) => {
    const visitor = client();
    expect((await visitor.rpc("titles_like", { wanted: "% 1" }, { get })).data).toEqual([
      { title: "Link 1" },
    ]);
    expect((await visitor.rpc("titles_like", { wanted: "link%", at_most: 2 }, { get })).data).toHaveLength(2);
    expect((await visitor.rpc("titles_like", { wanted: "nothing" }, { get })).data).toEqual([]);
    expect((await visitor.rpc("joined", { parts: ["a", "b"] }, { get })).data).toEqual(["a+b"]);
    expect((await visitor.rpc("own_role", {}, { get })).data).toEqual(["anon"]);
    expect((await client(ada.token).rpc("own_role", {}, { get })).data).toEqual(["authenticated"]);
    const several = await visitor.rpc("titles_like", { wanted: "Link%" }, { get }).single();
    expect(several.error?.code).toBe("PGRST116");
  },
);

test("a HEAD request to a database function gets no body", async () => {
  const wanted = { wanted: "%" };
  expect(await client().rpc("titles_like", wanted, { head: true })).toMatchObject({
    status: 200,
    data: null,
  });
});

test("a function's argument that looks like a filter is passed on unchanged", async () => {
  await rest.admin.query(
    `insert into public.useful_links (profile_id, title, url, category)
     values ($1, 'eq.1', 'https://example.com/', 'SQL')`,
    [ada.id],
  );
  const { data } = await client().rpc("titles_like", { wanted: "eq.1" }, { get: true });
  expect(data).toEqual([{ title: "eq.1" }]);
});

test("a visitor cannot call a function that is granted only to members", async () => {
  expect((await client(ada.token).rpc("for_members")).data).toEqual([1]);
  expect(await client().rpc("for_members")).toMatchObject({ status: 401, error: { code: "42501" } });
});

test("only the service key can call a function that may write, and only with POST", async () => {
  const sent = { old_title: "Link 5", new_title: "Link five" };
  expect(await client().rpc("rename_link", sent)).toMatchObject({ status: 401, error: { code: "42501" } });
  expect(await client(ada.token).rpc("rename_link", sent)).toMatchObject({ status: 403 });
  const service = client(rest.keys.serviceKey);
  const read = await service.rpc("rename_link", sent, { get: true });
  expect(read).toMatchObject({ status: 405, error: { code: "25006" } });
  expect((await service.rpc("rename_link", sent)).data).toEqual(["Link five"]);
  expect(
    (await service.rpc("rename_link", { old_title: "Link five", new_title: "Link 5" })).data,
  ).toHaveLength(1);
});

test.each([
  ["for_everybody_by_default", {}],
  ["on_write", {}],
  ["touch", { new_title: "Taken" }],
  ["sessions_of", {}],
  ["nope", {}],
  ["session_is_live", {}],
  ["titles_like", { wanted: "a", c: 2 }],
  ["titles_like", {}],
])("no role can call the function %s with the arguments %j", async (name, sent) => {
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
  ["touch", { new_title: "Taken" }, /does not expose it: it may write/],
  ["total", {}, /returns neither setof json nor rows/],
  ["twice", { a: 1 }, /several functions have this name/],
  ["for_everybody_by_default", {}, /not granted to anon, authenticated or service_role by name/],
  ["titles_like", { wanted: "a", c: 2 }, /^The arguments of titles_like are: wanted, at_most\.$/],
])("the hint about the function %s with %j says why it cannot be called", async (name, sent, hint) => {
  expect((await client().rpc(name, sent)).error?.hint).toMatch(hint);
});

test("the log names each granted function that is not exposed", async () => {
  const lines: string[] = [];
  const log = createLog((line) => void lines.push(line));
  createRest({ pipeline: { ...rest.pipeline, log }, schemaCache, onWrite: () => undefined });
  const [line] = lines
    .map((each) => JSON.parse(each))
    .filter(({ event }) => event === "functions.not_exposed");
  expect(line?.functions.map(({ name }: { name: string }) => name)).toEqual([
    "sessions_of",
    "total",
    "touch",
  ]);
});

test.each([
  ["GET", "titles_like?wanted=a&at_most=x", undefined, 400, "22P02"],
  ["GET", "titles_like?wanted=a&select=title", undefined, 400, "42703"],
  ["GET", "titles_like?wanted=a&title=a", undefined, 404, "PGRST202"],
  ["POST", "own_role?limit=x", "{}", 400, "PGRST100"],
  ["POST", "own_role?limit=-1", "{}", 416, "PGRST103"],
  ["POST", "own_role?title=x", "{}", 400, "PGRST100"],
  ["POST", "own_role?columns=title", "{}", 400, "PGRST127"],
  ["POST", "links_like?nope=eq.1", "{}", 400, "42703"],
  ["POST", "links_like?select=nope(id)", "{}", 400, "PGRST200"],
  ["POST", "links_like?select=title,title:url", "{}", 400, "PGRST100"],
  ["GET", "links_like?wanted=a&title=fts.x", undefined, 400, "PGRST100"],
  ["PATCH", "own_role", "{}", 405, "PGRST101"],
  ["POST", "own_role", "[]", 400, "PGRST102"],
  ["POST", "own_role", "1", 400, "PGRST102"],
  ["POST", "titles_like", '{"wanted": "x", "at_most": "b"}', 400, "22P02"],
  ["POST", "own_role", "", 200, undefined],
])("%s rpc/%s with the body %j gets status %d", async (method, path, body, status, code) => {
  const response = await app.request(`http://techfolio.test/rest/v1/rpc/${path}`, {
    method,
    headers: { apikey: rest.keys.anonKey, "content-type": "application/json" },
    ...(body === undefined ? {} : { body }),
  });
  expect([response.status, (await response.json()).code]).toEqual([status, code]);
});

describe.each([
  ["POST", false],
  ["GET", true],
])("the rows that a function returns to %s", (_method, get) => {
  const links = (options = {}) => client().rpc("links_like", { wanted: "Link%" }, { get, ...options });

  test("can be filtered, selected, sorted and limited like a table's", async () => {
    const { data } = await links()
      .select("title, owner:profiles(id)")
      .in("title", ["Link 1", "Link 2", "Link 3"])
      .or("title.eq.Link 1,title.eq.Link 3")
      .order("title", { ascending: false });
    expect(data).toEqual([
      { title: "Link 3", owner: { id: ada.id } },
      { title: "Link 1", owner: { id: ada.id } },
    ]);
    expect((await links().eq("title", "nothing").limit(1)).data).toEqual([]);
    expect((await links().order("title").range(1, 2).select("title")).data).toEqual([
      { title: "Link 2" },
      { title: "Link 3" },
    ]);
  });

  test("the count of a function's rows applies the filters but not the limit", async () => {
    const counted = await links({ count: "exact" }).neq("title", "Link 1").limit(2);
    expect([counted.status, counted.count, counted.data?.length]).toEqual([206, 4, 2]);
    const past = await links({ count: "exact" }).range(10, 20);
    expect([past.status, past.error?.code]).toEqual([416, "PGRST103"]);
  });
});

describe.each([
  ["POST", false],
  ["GET", true],
])("the JSON values that a function returns to %s", (_method, get) => {
  const titles = (options = {}) => client().rpc("titles_like", { wanted: "Link%" }, { get, ...options });

  test("a client can limit and count a function's JSON values", async () => {
    const counted = await titles({ count: "exact" }).range(1, 2);
    expect(counted).toMatchObject({
      status: 206,
      count: 5,
      data: [{ title: "Link 2" }, { title: "Link 3" }],
    });
    expect((await titles().limit(1)).data).toEqual([{ title: "Link 1" }]);
    expect((await titles({ count: "exact", head: true })).count).toBe(5);
  });

  test("have no columns, so filters, columns and orders are rejected", async () => {
    const requests = [
      titles().eq("title", "Link 1"),
      titles().or("title.eq.a,title.eq.b"),
      titles().order("title"),
      titles().select("title"),
      titles().select("title:profiles(id)"),
      titles().limit(1, { referencedTable: "title" }),
    ];
    for (const request of requests) {
      const { error, status } = await request;
      expect([status, error?.code, error?.message]).toEqual([
        400,
        "42703",
        expect.stringMatching(/^column titles_like\.(title|profiles) does not exist$/),
      ]);
    }
  });
});

test.each(["GET", "POST"])(
  "the Range header of a %s to a function selects a part of the list",
  async (method) => {
    const isPost = method === "POST";
    const path = `titles_like${isPost ? "" : "?wanted=Link%25"}`;
    const response = await app.request(`http://techfolio.test/rest/v1/rpc/${path}`, {
      method,
      headers: {
        apikey: rest.keys.anonKey,
        "content-type": "application/json",
        range: "1-2",
        prefer: "count=exact",
      },
      ...(isPost && { body: '{"wanted":"Link%"}' }),
    });
    expect([response.status, response.headers.get("content-range")]).toEqual([206, "1-2/5"]);
    expect(await response.json()).toEqual([{ title: "Link 2" }, { title: "Link 3" }]);
  },
);
