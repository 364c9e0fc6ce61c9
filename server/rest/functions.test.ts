import { createClient } from "@supabase/supabase-js";
import { Hono } from "hono";
import { afterAll, expect, test } from "vitest";
import { inProcess } from "../../tests/support/in-process.ts";
import { startTestRest } from "../../tests/support/rest.ts";
import { createRest } from "./rest-routes.ts";

const FUNCTIONS = `
  create function public.titles_like(wanted text, at_most int default 10) returns setof json language sql stable as
    'select json_build_object(''title'', title) from public.useful_links where title ilike wanted order by title limit at_most';
  create function public.own_role() returns setof json language sql stable as 'select to_json(current_user::text)';
  create function public.joined(parts text[]) returns setof json language sql stable as
    'select to_json(array_to_string(parts, ''+''))';
  create function public.for_members() returns setof json language sql stable as 'select to_json(1)';
  create function public.touch(new_title text) returns setof json language sql as
    'update public.useful_links set title = new_title returning to_json(title)';
  create function public.rows() returns setof public.useful_links language sql stable as
    'select * from public.useful_links';
  create function public.for_everybody_by_default() returns setof json language sql stable as 'select to_json(1)';
  create function public.on_write() returns trigger language plpgsql as 'begin return new; end';
  grant execute on function public.titles_like, public.own_role, public.joined, public.touch, public.rows,
    public.on_write to anon, authenticated;
  grant execute on function public.for_members to authenticated`;

const rest = await startTestRest();
const ada = await rest.signedIn();
await rest.admin.query(FUNCTIONS);
await rest.admin.query(
  `insert into public.useful_links (profile_id, title, url, category)
   select $1, 'Link ' || n, 'https://example.com/', 'SQL' from generate_series(1, 5) as n`,
  [ada.id],
);
const app = inProcess(new Hono()).route(
  "/rest/v1",
  await createRest({ pipeline: rest.pipeline, onWrite: () => undefined }),
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

test.each([
  ["for_everybody_by_default", {}],
  ["on_write", {}],
  ["touch", { new_title: "Taken" }],
  ["rows", {}],
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
  ["GET", "titles_like?wanted=a&at_most=x", undefined, 400, "22P02"],
  ["GET", "titles_like?wanted=a&select=title", undefined, 404, "PGRST202"],
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
