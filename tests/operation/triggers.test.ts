// Tests what triggers do, for each table that has them. Most other tests look at one kind of content.
import { afterAll, describe, expect, test } from "vitest";
import { makeMember, startTestDatabase } from "../support/database.ts";
import { EACH_KIND, exampleRow } from "../support/example-rows.ts";

const db = await startTestDatabase();
afterAll(() => db.stop());

/** Returns the value of the only column of the first row. */
async function read(statement: string, ...values: unknown[]): Promise<unknown> {
  const { rows } = await db.admin.query({ text: statement, values, rowMode: "array" });
  return rows[0]?.[0];
}

async function insert(table: string, row: Record<string, unknown>): Promise<string> {
  const names = Object.keys(row);
  const places = names.map((_, index) => `$${index + 1}`);
  const statement = `insert into public.${table} (${names}) values (${places}) returning id`;
  return String(await read(statement, ...Object.values(row)));
}

describe.each(EACH_KIND)("rows of %s", (table, kind) => {
  const addItem = async (changes: Record<string, unknown> = {}) =>
    insert(table, exampleRow(kind, await makeMember(db.admin), changes));

  test("are found by their present title until they are deleted", async () => {
    const isFound = async (word: string) =>
      JSON.stringify(
        await read("select json_agg(r) from public.search_items($1, $2) r", table, word),
      ).includes(id);
    const id = await addItem({ title: "zebrafish" });
    expect(await isFound("zebrafish")).toBe(true);
    await read(`update public.${table} set title = 'hedgehog' where id = $1`, id);
    expect([await isFound("zebrafish"), await isFound("hedgehog")]).toEqual([false, true]);
    await read(`delete from public.${table} where id = $1`, id);
    expect(await isFound("hedgehog")).toBe(false);
  });

  test.each([
    ["changed", `update public.${table} set title = title || '.' where id = $1`],
    ["deleted", `delete from public.${table} where id = $1`],
  ])("lose versions that are older than 90 days when another row is %s", async (_, statement) => {
    const [id, other] = [await addItem(), await addItem()];
    await db.admin.query(
      `insert into public.versions (profile_id, item_table, item_id, title, item, is_deletion, size, replaced_at)
       select $1, $2, $3, 'A title', '{}', false, 1000, now() - make_interval(days => days) from unnest($4::int[]) days`,
      [await makeMember(db.admin), table, id, [89, 91]],
    );
    await read(statement, other);
    const { rows } = await db.admin.query(
      "select (now()::date - replaced_at::date) as days from public.versions where item_id = $1",
      [id],
    );
    expect(rows).toEqual([{ days: 89 }]);
  });
});

test("a removed person disappears from the searches", async () => {
  const member = await makeMember(db.admin);
  await read("update public.profiles set full_name = 'Zora Quill', joined_at = now() where id = $1", member);
  const count = () => read("select count(*)::int from private.search_documents where owner = $1", member);
  expect(await count()).toBe(1);
  await read("delete from auth.users where id = $1", member);
  expect(await count()).toBe(0);
});

test.each(["profiles", ...EACH_KIND.map(([table]) => table)])(
  "a report about a row of %s is removed with the row",
  async (table) => {
    const member = await makeMember(db.admin);
    const kind = EACH_KIND.find(([name]) => name === table)?.[1];
    const id = kind === undefined ? member : await insert(table, exampleRow(kind, member));
    await read(
      "insert into private.reports (subject_table, subject_id, reason) values ($1, $2, 'Spam')",
      table,
      id,
    );
    const count = () => read("select count(*)::int from private.reports where subject_id = $1", id);
    expect(await count()).toBe(1);
    await read(
      kind === undefined
        ? "delete from auth.users where id = $1"
        : `delete from public.${table} where id = $1`,
      id,
    );
    expect(await count()).toBe(0);
  },
);

const { rows: dated } = await db.admin.query<{ table: string }>(
  `select table_name as table from information_schema.columns
   where table_schema = 'public' and column_name = 'updated_at' order by 1`,
);

test.each(dated)("$table sets the time of the last change itself", async ({ table }) => {
  const kind = EACH_KIND.find(([name]) => name === table)?.[1];
  const client = "2001-01-01T00:00:00Z";
  const created = "2020-02-02T00:00:00.000Z";
  const owner = await makeMember(db.admin);
  const id =
    kind === undefined
      ? owner
      : await insert(table, exampleRow(kind, owner, { created_at: created, updated_at: client }));
  if (kind !== undefined) {
    expect(await read(`select updated_at from public.${table} where id = $1`, id)).toEqual(new Date(created));
  }
  await read(`update public.${table} set updated_at = $2 where id = $1`, id, client);
  const isNow = `select updated_at > now() - interval '1 hour' from public.${table} where id = $1`;
  expect(await read(isNow, id)).toBe(true);
});

test("a new line of the operators' log removes lines that are older than a year", async () => {
  const add = (days: number) =>
    db.admin.query(
      `insert into public.operator_log (operator, action, created_at)
       values ('Ada', 'an action', now() - make_interval(days => $1))`,
      [days],
    );
  for (const days of [360, 370, 0]) await add(days);
  const { rows } = await db.admin.query(
    "select (now()::date - created_at::date) as days from public.operator_log order by 1",
  );
  expect(rows).toEqual([{ days: 0 }, { days: 360 }]);
});

test("a profile notes its account's first sign-in, and a suspension until it ends", async () => {
  const member = await makeMember(db.admin);
  const column = (name: string) => read(`select ${name} from public.profiles where id = $1`, member);
  const change = (set: string) => read(`update auth.users set ${set} where id = $1`, member);
  await read("update public.profiles set joined_at = null where id = $1", member);
  await change("last_sign_in_at = null");
  await change("last_sign_in_at = '2026-01-01T00:00:00Z'");
  await change("last_sign_in_at = '2026-02-02T00:00:00Z'");
  expect(await column("joined_at")).toEqual(new Date("2026-01-01T00:00:00Z"));
  await change("banned_until = '2126-01-01T00:00:00Z'");
  expect(await column("unlisted_until")).toEqual(new Date("2126-01-01T00:00:00Z"));
  await change("banned_until = null");
  expect(await column("unlisted_until")).toBeNull();
});

test("a new kind of content gets an index of its addresses, and the removal of its reports", async () => {
  const client = await db.admin.connect();
  try {
    await client.query(`begin;
      create table public.talks (id uuid primary key, owner uuid, title text);
      insert into private.content_kinds (content_table, owner_column, is_publishable, listed_columns, searched_columns)
      values ('talks', 'owner', false, '{title}', '{}')`);
    const { rows: indexes } = await client.query(
      "select from pg_indexes where indexname = 'talks_address_idx' and indexdef like 'CREATE UNIQUE%'",
    );
    const { rows: triggers } = await client.query(
      "select from pg_trigger where tgrelid = 'public.talks'::regclass and tgname = 'remove_reports'",
    );
    expect([indexes.length, triggers.length]).toEqual([1, 1]);
  } finally {
    await client.query("rollback");
    client.release();
  }
});
