// Attempts of a member to change other members' rows or fixed columns (access-rules, "Common mistakes").
import type { SupabaseClient } from "@supabase/supabase-js";
import { createClient } from "@supabase/supabase-js";
import { afterAll, describe, expect, test } from "vitest";
import { type Member, startTestRest } from "../support/rest.ts";

const rest = await startTestRest();
const ada = await rest.signedIn();
const eve = await rest.signedIn();
const asAda = rest.client(ada.token);
const asEve = rest.client(eve.token);
afterAll(() => rest.stop());

const LONG_AGO = "2001-01-01T00:00:00+00:00";
const CONTENT = [
  ["skills", "profile_id", "name", {}],
  ["articles", "author_id", "title", { content: "C" }],
  ["useful_links", "profile_id", "title", { url: "https://example.com/", category: "SQL" }],
  ["code_samples", "profile_id", "title", { code_content: "ls", language: "bash" }],
] as const;

describe.each(CONTENT)("%s", (table, owner, name, more) => {
  const row = (member: Member, text: string) => ({ [owner]: member.id, [name]: text, ...more });

  async function made(by: SupabaseClient, member: Member, text: string) {
    const { data, error } = await by.from(table).insert(row(member, text)).select().single();
    expect(error).toBeNull();
    return data;
  }

  test("a row cannot be given away, by update or upsert", async () => {
    const mine = await made(asEve, eve, "mine");
    await asEve
      .from(table)
      .update({ [owner]: ada.id })
      .eq("id", mine.id);
    await asEve.from(table).upsert({ ...mine, [owner]: ada.id });
    const { data } = await asEve.from(table).select().eq("id", mine.id).single();
    expect(data[owner]).toBe(eve.id);
  });

  test("id and created_at never change", async () => {
    const mine = await made(asEve, eve, "mine");
    const { data } = await asEve
      .from(table)
      .update({ id: crypto.randomUUID(), created_at: LONG_AGO, [name]: "new" })
      .eq("id", mine.id)
      .select()
      .single();
    expect(data).toMatchObject({ id: mine.id, created_at: mine.created_at, [name]: "new" });
  });

  test("created_at can't be in the future", async () => {
    const { data } = await asEve
      .from(table)
      .insert({ ...row(eve, "tomorrow"), created_at: "2999-01-01T00:00:00Z" })
      .select()
      .single();
    expect(new Date(data.created_at).getTime()).toBeLessThanOrEqual(Date.now() + 1000);
  });

  test("an upsert with the id of another member's row changes nothing", async () => {
    const hers = await made(asAda, ada, "hers");
    const { status, error } = await asEve.from(table).upsert({ id: hers.id, ...row(eve, "taken") });
    expect([status, error?.code]).toEqual([403, "42501"]);
    const ignored = await asEve
      .from(table)
      .upsert({ id: hers.id, ...row(eve, "taken") }, { ignoreDuplicates: true });
    expect(ignored.error).toBeNull();
    expect((await asAda.from(table).select().eq("id", hers.id).single()).data).toEqual(hers);
  });

  test("a list with one row of another member is rejected as a whole", async () => {
    const { status } = await asEve.from(table).insert([row(eve, "together"), row(ada, "together")]);
    expect(status).toBe(403);
    expect((await asEve.from(table).select().eq(name, "together")).data).toEqual([]);
  });

  test("an update or delete of all rows affects only the member's own", async () => {
    const hers = await made(asAda, ada, "hers");
    await made(asEve, eve, "mine");
    const updated = await asEve
      .from(table)
      .update({ [name]: "all" })
      .not("id", "is", null)
      .select();
    expect(updated.data?.every((each) => each[owner] === eve.id)).toBe(true);
    const deleted = await asEve.from(table).delete().or("id.is.null,id.not.is.null").select();
    expect(deleted.data?.length).toBeGreaterThan(0);
    expect((await asAda.from(table).select().eq("id", hers.id).single()).data).toEqual(hers);
    expect((await asEve.from(table).select().eq(owner, eve.id)).data).toEqual([]);
  });

  test("a visitor can't even insert an empty list", async () => {
    expect(await rest.client().from(table).insert([])).toMatchObject({
      status: 401,
      error: { code: "42501" },
    });
  });
});

test("a profile can't be moved to another account", async () => {
  const other = crypto.randomUUID();
  await asEve.from("profiles").update({ id: other, created_at: LONG_AGO, username: "eve" }).eq("id", eve.id);
  const { data } = await asEve.from("profiles").select("id, username, created_at").eq("id", eve.id).single();
  expect(data).toMatchObject({ id: eve.id, username: "eve" });
  expect(data?.created_at).not.toBe(LONG_AGO);
  expect((await asEve.from("profiles").insert({ id: other })).error?.code).toBe("42501");
  expect((await asEve.from("profiles").delete().eq("id", eve.id)).error?.code).toBe("42501");
});

test.each(["auth", "private", "pg_catalog", "information_schema", "supabase_migrations", "storage"])(
  "schema %s is closed to members and to the service key",
  async (schema) => {
    for (const token of [eve.token, rest.keys.serviceKey]) {
      const { status, error } = await rest.client(token).schema(schema).from("users").select();
      expect([status, error?.code]).toEqual([406, "PGRST106"]);
    }
  },
);

test("no internal function can be called", async () => {
  for (const name of [
    "session_is_live",
    "uid",
    "create_profile",
    "set_config",
    "pg_read_file",
    "gen_random_uuid",
  ]) {
    const { status, error } = await rest.client(rest.keys.serviceKey).rpc(name, {});
    expect([status, error?.code]).toEqual([404, "PGRST202"]);
  }
});

test("the service key bypasses the rules, also as the client's own key", async () => {
  const client = createClient("http://techfolio.test", rest.keys.serviceKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    global: { fetch: async (input, init) => rest.app.request(new Request(input, init)) },
  });
  const { data } = await client
    .from("skills")
    .insert({ profile_id: eve.id, name: "by the service", created_at: LONG_AGO })
    .select()
    .single();
  expect(data).toMatchObject({ profile_id: eve.id, created_at: LONG_AGO });
  expect(await client.from("skills").delete().eq("id", data.id)).toMatchObject({ status: 204, error: null });
});

test("a session's token is rejected as soon as the session ends", async () => {
  const guest = await rest.signedIn();
  const client = rest.client(guest.token);
  const save = () => client.from("profiles").update({ username: "guest" }).eq("id", guest.id);
  expect((await save()).status).toBe(204);
  await rest.admin.query("delete from auth.sessions where id = $1", [guest.sessionId]);
  expect(await save()).toMatchObject({
    status: 401,
    error: { code: "PGRST303", message: "The session has ended" },
  });
  expect((await client.from("profiles").select()).status).toBe(401);
});

test("a token with another member's session is rejected", async () => {
  const token = await rest.sign({ sub: eve.id, session_id: ada.sessionId });
  expect((await rest.client(token).from("skills").select()).status).toBe(401);
});

test("a request without key and token is rejected", async () => {
  const answer = await rest.app.request("http://techfolio.test/rest/v1/articles");
  expect([answer.status, answer.headers.get("www-authenticate"), await answer.json()]).toEqual([
    401,
    "Bearer",
    { code: "PGRST302", details: null, hint: null, message: "No API key found in request" },
  ]);
});
