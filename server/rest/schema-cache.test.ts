// Tests which of the tables that an operator adds to the schema `public` are exposed, and how they can be embedded.
import { Hono } from "hono";
import { afterAll, expect, test } from "vitest";
import { inProcess } from "../../tests/support/in-process.ts";
import { startTestRest } from "../../tests/support/rest.ts";
import { createRest } from "./rest-routes.ts";

const SCHEMA = `
  create table public.unprotected (id int primary key);
  grant all on public.unprotected to anon;
  create view public.peek as select id, email from auth.users;
  grant all on public.peek to anon;
  create materialized view public.snapshot as select 1 as id;
  grant all on public.snapshot to anon;
  create function public.shout(text) returns text language sql as 'select upper($1)';

  create type public."it's a ""type""" as enum ('a''b', 'c"d');
  create table public."we""ird 'table'; --" (
    "i""d" int generated always as identity primary key,
    "the 'kind'" public."it's a ""type""" not null default 'a''b',
    "$1" text default 'it''s %s',
    ünïcode numeric(4, 1)
  );
  create table public.teams (country text primary key, number int, unique (country, number));
  create table public.matches (
    id int primary key,
    home_country text constraint home references public.teams,
    guest_country text constraint guest references public.teams
  );
  create table public.captains (name text primary key, country text unique constraint team references public.teams);
  create table public.players (
    name text, country text, number int, primary key (country, name),
    foreign key (country, number) references public.teams (country, number)
  );
  insert into public.teams values ('de', 1), ('fr', 2);
  insert into public.matches values (1, 'de', 'fr');

  do $$
  declare name text;
  begin
    foreach name in array array['we"ird ''table''; --', 'teams', 'matches', 'captains', 'players'] loop
      execute format('alter table public.%I enable row level security', name);
      execute format('create policy open on public.%I for all to anon using (true)', name);
      execute format('grant all on public.%I to anon, service_role', name);
    end loop;
  end $$`;

const rest = await startTestRest();
await rest.admin.query(SCHEMA);
const app = inProcess(new Hono()).route(
  "/rest/v1",
  await createRest({ pipeline: rest.pipeline, onWrite: () => undefined }),
);
afterAll(() => rest.stop());

const WEIRD = encodeURIComponent(`we"ird 'table'; --`);

/** Uses the service key for writes: visitors can't write, even to tables that they have grants on. */
function keyFor(method: string): string {
  return method === "GET" ? rest.keys.anonKey : rest.keys.serviceKey;
}

async function send(path: string, method = "GET", body?: object, prefer = "return=representation") {
  const response = await app.request(`http://techfolio.test/rest/v1/${path}`, {
    method,
    headers: { apikey: keyFor(method), "content-type": "application/json", prefer },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text && JSON.parse(text) };
}

test.each([
  ["a table without row-level security", "unprotected"],
  ["a view", "peek"],
  ["a materialized view", "snapshot"],
  ["a function", "shout"],
])("%s is not exposed as a table", async (_kind, name) => {
  expect(await send(name)).toMatchObject({ status: 404, body: { code: "PGRST205" } });
});

test("tables with unusual names and types can be read and written", async () => {
  const created = await send(WEIRD, "POST", { "the 'kind'": 'c"d', ünïcode: 1.25 });
  expect(created).toEqual({
    status: 201,
    body: [{ 'i"d': expect.any(Number), "the 'kind'": 'c"d', $1: "it's %s", ünïcode: 1.3 }],
  });
  const search = new URLSearchParams([
    ["select", `kind:"the 'kind'","$1"`],
    [`"the 'kind'"`, 'in.("c\\"d")'],
    ["or", `("$1".eq."it's %s","i\\"d".is.null)`],
    ["order", `"i\\"d".desc,ünïcode`],
  ]);
  const read = await send(`${WEIRD}?${search}`);
  expect(read.body[0]).toEqual({ kind: 'c"d', $1: "it's %s" });
  expect((await send(`${WEIRD}?ünïcode=eq.1.3`, "PATCH", { "the 'kind'": "a'b" })).status).toBe(200);
  expect((await send(`${WEIRD}?"the 'kind'"=eq.nope`)).body.code).toBe("22P02");
});

test("a table that two foreign keys refer to can be embedded only with a hint in the request", async () => {
  expect(await send("matches?select=id,teams(*)")).toMatchObject({
    status: 300,
    body: { code: "PGRST201", hint: expect.stringContaining("'teams!guest', 'teams!home'") },
  });
  const { body } = await send("matches?select=home:teams!home(country),guest:teams!guest(country,number)");
  expect(body).toEqual([{ home: { country: "de" }, guest: { country: "fr", number: 2 } }]);
  const back = await send("teams?select=country,matches!guest(id)&order=country");
  expect(back.body).toEqual([
    { country: "de", matches: [] },
    { country: "fr", matches: [{ id: 1 }] },
  ]);
});

test("a table cannot be embedded through a foreign key with two columns", async () => {
  expect(await send("players?select=teams(*)")).toMatchObject({ status: 400, body: { code: "PGRST200" } });
});

test("through a unique foreign key, each table embeds the other one as an object", async () => {
  await send("captains", "POST", { name: "Ada", country: "de" });
  const { body } = await send("teams?select=country,captains(name)&number=lt.3&order=country");
  expect(body).toEqual([
    { country: "de", captains: { name: "Ada" } },
    { country: "fr", captains: null },
  ]);
  expect((await send("captains?select=teams(country)")).body).toEqual([{ teams: { country: "de" } }]);
  const inner = await send("teams?select=country,captains!inner(name)");
  expect(inner.body).toEqual([{ country: "de", captains: { name: "Ada" } }]);
});

test("an upsert finds conflicts on a primary key with two columns", async () => {
  const upsert = () =>
    send(
      "players",
      "POST",
      { name: "Bo", country: "a&b", number: null },
      "resolution=merge-duplicates,return=representation",
    );
  expect(await upsert()).toEqual({ status: 201, body: [{ name: "Bo", country: "a&b", number: null }] });
  expect((await upsert()).status).toBe(200);
});
