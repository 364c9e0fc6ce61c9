// Tests that members cannot change other members' rows, or columns of their own rows that only the server may change.
// See "Common mistakes" in docs/access-rules.md.
import type { SupabaseClient } from "@supabase/supabase-js";
import { createClient } from "@supabase/supabase-js";
import { afterAll, describe, expect, test } from "vitest";
import { KINDS } from "../../common/kinds/index.ts";
import { exampleRow } from "../support/example-rows.ts";
import { type Member, startTestRest } from "../support/rest.ts";

const rest = await startTestRest();
const ada = await rest.signedIn();
const eve = await rest.signedIn();
const asAda = rest.client(ada.token);
const asEve = rest.client(eve.token);
afterAll(() => rest.stop());

const LONG_AGO = "2001-01-01T00:00:00+00:00";
/** The tables whose rows members own, the column with the owner, the column that the tests change, and an own row. */
const OWNED = [
  ["skills", "profile_id", "name", (owner: string) => ({ profile_id: owner })],
  ...KINDS.map(
    (kind) => [kind.table, kind.ownerColumn, "title", (owner: string) => exampleRow(kind, owner)] as const,
  ),
] as const;

describe.each(OWNED)("a member's access to the table %s", (table, owner, name, ownRow) => {
  const row = (member: Member, text: string): Record<string, unknown> => ({
    ...ownRow(member.id),
    [name]: text,
  });

  async function insertRow(by: SupabaseClient, member: Member, text: string) {
    const { data, error } = await by.from(table).insert(row(member, text)).select().single();
    expect(error).toBeNull();
    return data;
  }

  test(`a member cannot give their row of ${table} to another member, by update or upsert`, async () => {
    const own = await insertRow(asEve, eve, "own");
    await asEve
      .from(table)
      .update({ [owner]: ada.id })
      .eq("id", own.id);
    await asEve.from(table).upsert({ ...own, [owner]: ada.id });
    const { data } = await asEve.from(table).select().eq("id", own.id).single();
    expect(data[owner]).toBe(eve.id);
  });

  test(`an update by the owner of a row of ${table} changes neither its id nor its created_at`, async () => {
    const own = await insertRow(asEve, eve, "own");
    const { data } = await asEve
      .from(table)
      .update({ id: crypto.randomUUID(), created_at: LONG_AGO, [name]: "new" })
      .eq("id", own.id)
      .select()
      .single();
    expect(data).toMatchObject({ id: own.id, created_at: own.created_at, [name]: "new" });
  });

  test(`a row that is inserted into ${table} with a created_at in the future is not stored with a future date`, async () => {
    const { data } = await asEve
      .from(table)
      .insert({ ...row(eve, "tomorrow"), created_at: "2999-01-01T00:00:00Z" })
      .select()
      .single();
    expect(new Date(data.created_at).getTime()).toBeLessThanOrEqual(Date.now() + 1000);
  });

  test(`an upsert with the id of another member's row of ${table} changes nothing`, async () => {
    const other = await insertRow(asAda, ada, "other");
    const { status, error } = await asEve.from(table).upsert({ id: other.id, ...row(eve, "taken") });
    expect([status, error?.code]).toEqual([403, "42501"]);
    const ignored = await asEve
      .from(table)
      .upsert({ id: other.id, ...row(eve, "taken") }, { ignoreDuplicates: true });
    expect(ignored.error).toBeNull();
    expect((await asAda.from(table).select().eq("id", other.id).single()).data).toEqual(other);
  });

  test(`an insert into ${table} is rejected as a whole if one of its rows belongs to another member`, async () => {
    const { status } = await asEve.from(table).insert([row(eve, "together"), row(ada, "together")]);
    expect(status).toBe(403);
    expect((await asEve.from(table).select().eq(name, "together")).data).toEqual([]);
  });

  test(`an update or deletion of all rows of ${table} affects only the member's own rows`, async () => {
    const other = await insertRow(asAda, ada, "other");
    await insertRow(asEve, eve, "own");
    const updated = await asEve
      .from(table)
      .update({ [name]: "all" })
      .not("id", "is", null)
      .select();
    expect(updated.data?.every((each) => each[owner] === eve.id)).toBe(true);
    const deleted = await asEve.from(table).delete().or("id.is.null,id.not.is.null").select();
    expect(deleted.data?.length).toBeGreaterThan(0);
    expect((await asAda.from(table).select().eq("id", other.id).single()).data).toEqual(other);
    expect((await asEve.from(table).select().eq(owner, eve.id)).data).toEqual([]);
  });

  test(`a visitor who inserts an empty list into ${table} gets 401`, async () => {
    expect(await rest.client().from(table).insert([])).toMatchObject({
      status: 401,
      error: { code: "42501" },
    });
  });
});

test("a member cannot change the id or created_at of their profile, delete the profile or insert another one", async () => {
  const other = crypto.randomUUID();
  await asEve.from("profiles").update({ id: other, created_at: LONG_AGO, username: "eve" }).eq("id", eve.id);
  const { data } = await asEve.from("profiles").select("id, username, created_at").eq("id", eve.id).single();
  expect(data).toMatchObject({ id: eve.id, username: "eve" });
  expect(data?.created_at).not.toBe(LONG_AGO);
  expect((await asEve.from("profiles").insert({ id: other })).error?.code).toBe("42501");
  expect((await asEve.from("profiles").delete().eq("id", eve.id)).error?.code).toBe("42501");
});

test.each(["auth", "private", "pg_catalog", "information_schema", "supabase_migrations", "storage"])(
  "a request for the schema %s gets 406, even with the service key",
  async (schema) => {
    for (const token of [eve.token, rest.keys.serviceKey]) {
      const { status, error } = await rest.client(token).schema(schema).from("users").select();
      expect([status, error?.code]).toEqual([406, "PGRST106"]);
    }
  },
);

test("a call to an internal or built-in database function gets 404, even with the service key", async () => {
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

test("a client created with the service key can insert a member's row with a created_at in the past, and delete it", async () => {
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

test("a request with neither an API key nor a token gets 401", async () => {
  const response = await rest.app.request("http://techfolio.test/rest/v1/articles");
  expect([response.status, response.headers.get("www-authenticate"), await response.json()]).toEqual([
    401,
    "Bearer",
    { code: "PGRST302", details: null, hint: null, message: "No API key found in request" },
  ]);
});

test("a member cannot change when they joined, whether they have left, or how long they are suspended", async () => {
  const membership = "joined_at,left_at,unlisted_until";
  const read = async () =>
    (await rest.admin.query(`select ${membership} from public.profiles where id = $1`, [eve.id])).rows;
  await asEve.from("profiles").update({ bio: "Saved" }).eq("id", eve.id).throwOnError();
  await rest.admin.query(
    "update public.profiles set left_at = now(), unlisted_until = now() + interval '1 day' where id = $1",
    [eve.id],
  );
  const before = await read();
  const attempt = { joined_at: null, left_at: null, unlisted_until: null };
  await asEve.from("profiles").update(attempt).eq("id", eve.id).throwOnError();
  await asEve
    .from("profiles")
    .upsert({ id: eve.id, bio: "Again", ...attempt })
    .throwOnError();
  expect(await read()).toEqual(before);
});
