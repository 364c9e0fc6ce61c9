import { afterAll, expect, test } from "vitest";
import { makeMember, startTestDatabase } from "../support/database.ts";
import { EACH_KIND, exampleRow } from "../support/example-rows.ts";

const db = await startTestDatabase();
const member = await makeMember(db.admin);
afterAll(() => db.stop());

const DEFINITIONS = `
  select p.oid::regprocedure::text as name, pg_get_functiondef(p.oid) as definition
  from pg_proc p where pronamespace = 'private'::regnamespace and prokind = 'f'
  union all select indexrelid::regclass::text, pg_get_indexdef(indexrelid)
  from pg_index join pg_class c on c.oid = indexrelid where relnamespace::regnamespace::text in ('public', 'private')
  order by 1, 2`;

test("no migration has changed a table's columns without rebuilding what is derived from them", async () => {
  const { rows: before } = await db.admin.query(DEFINITIONS);
  await db.admin.query("select private.rebuild_derived()");
  expect((await db.admin.query(DEFINITIONS)).rows).toEqual(before);
  const { rows: kinds } = await db.admin.query(
    `select content_table, is_publishable, exists (
       select from information_schema.columns c
       where table_schema = 'public' and c.table_name = content_table and column_name = 'published') as has_column
     from private.content_kinds`,
  );
  expect(kinds).toHaveLength(EACH_KIND.length);
  for (const kind of kinds) expect(kind.is_publishable, kind.content_table).toBe(kind.has_column);
});

const ROWS: [string, Record<string, unknown> | undefined][] = [
  ["profiles", undefined],
  ["skills", { profile_id: member, name: "Joins" }],
  ...EACH_KIND.map(([table, kind]): [string, Record<string, unknown>] => [table, exampleRow(kind, member)]),
];

test.each(ROWS)(
  "columns that a migration adds to %s count towards what their member may store",
  async (table, row) => {
    const client = await db.admin.connect();
    const readUse = async () => {
      const use = await client.query(
        "select row_bytes::int as bytes from private.storage_use where profile_id = $1",
        [member],
      );
      return use.rows[0]?.bytes ?? 0;
    };
    try {
      await client.query("begin");
      if (row) {
        const names = Object.keys(row);
        await client.query(
          `insert into public.${table} (${names}) values (${names.map((_, index) => `$${index + 1}`)})`,
          Object.values(row),
        );
      } else {
        await client.query("update public.profiles set bio = 'x' where id = $1", [member]);
      }
      await client.query(
        `alter table public.${table} add column subtitle public.long_text, add column "it's" text[], add column data jsonb`,
      );
      await client.query("select private.rebuild_derived()");
      const before = await readUse();
      await client.query(
        `update public.${table} set subtitle = repeat('é', 200000), "it's" = array[repeat('y', 30000)],
       data = to_jsonb(repeat('z', 2000))`,
      );
      const growth = (await readUse()) - before;
      // A small row counts as 1,000 bytes, so what it already takes may not add up.
      expect(growth).toBeGreaterThan(431_000);
      await client.query("select private.rebuild_derived()");
      expect((await readUse()) - before).toBe(growth);
    } finally {
      await client.query("rollback");
      client.release();
    }
  },
);
