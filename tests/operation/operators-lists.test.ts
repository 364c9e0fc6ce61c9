import { afterAll, beforeAll, expect, test } from "vitest";
import { KINDS } from "../../common/kinds/index.ts";
import { renderedColumn } from "../../common/kinds/kind-definition.ts";
import { makeMember, startTestDatabase } from "../support/database.ts";
import { exampleRow } from "../support/example-rows.ts";

const MEMBERS = 3_000;

const db = await startTestDatabase();

afterAll(() => db.stop());

/** Adds an item of each kind for the members that `authors` selects. The rendered texts have 1,000 characters. */
async function addItems(authors: string): Promise<void> {
  for (const kind of KINDS) {
    const { table, ownerColumn } = kind;
    const name = renderedColumn(kind);
    const row = exampleRow(kind, "", name === undefined ? {} : { [name]: "word ".repeat(200) });
    const columns = Object.keys(row).filter((column) => column !== ownerColumn);
    await db.admin.query(
      `insert into public.${table} (${ownerColumn}, ${columns})
       select author.id, ${columns.map((column) => `item.${column}`)} from (${authors}) as author
       cross join jsonb_populate_record(null::public.${table}, $1) as item`,
      [JSON.stringify({ ...row, [ownerColumn]: undefined })],
    );
  }
}

// The statistics describe a site with one author. Then thousands are loaded, as by a restore, and PostgreSQL has not yet
// analyzed them.
beforeAll(async () => {
  for (const { table } of KINDS) {
    await db.admin.query(`alter table public.${table} set (autovacuum_enabled = off)`);
  }
  const id = await makeMember(db.admin);
  await addItems(`select '${id}'::uuid as id from generate_series(1, 10)`);
  await db.admin.query("analyze");
  await db.admin.query("set session_replication_role = replica");
  await db.admin.query(
    `insert into auth.users (id, instance_id, aud, role, email, email_confirmed_at, created_at, updated_at)
     select md5('colleague ' || n)::uuid, '00000000-0000-0000-0000-000000000000', 'authenticated', 'authenticated',
       'colleague' || n || '@example.com', now(), timestamptz '2026-01-01' + n * interval '1 minute', now()
     from generate_series(1, $1::int) as n`,
    [MEMBERS],
  );
  await db.admin.query(
    `insert into public.profiles (id, full_name)
     select md5('colleague ' || n)::uuid, 'Colleague ' || n from generate_series(1, $1::int) as n`,
    [MEMBERS],
  );
  await addItems("select id from public.profiles cross join generate_series(1, 3)");
  await db.admin.query("set session_replication_role = origin");
  await db.admin.query(
    `insert into storage.objects (bucket_id, name, created_at)
     select 'pictures', id || '/one.webp', timestamptz '2026-01-01' from public.profiles`,
  );
});

/** Returns how many blocks the statement reads, from memory or from disk. */
async function blocksOf(statement: string): Promise<number> {
  const { rows } = await db.admin.query<{ "QUERY PLAN": [{ Plan: Record<string, number> }] }>(
    `explain (analyze, buffers, format json) ${statement}`,
  );
  const { "Shared Hit Blocks": hit = 0, "Shared Read Blocks": read = 0 } =
    rows[0]?.["QUERY PLAN"][0].Plan ?? {};
  return hit + read;
}

/** Returns how many blocks a scan of each table reads. */
async function blocksOfTables(...tables: string[]): Promise<number> {
  const { rows } = await db.admin.query<{ blocks: number }>(
    "select sum(pg_relation_size(name::regclass) / current_setting('block_size')::int)::int as blocks from unnest($1::text[]) as name",
    [tables],
  );
  return rows[0]?.blocks ?? 0;
}

/** A list may read the accounts and profiles, and a few blocks of indexes for each row that it returns. */
const BLOCKS_PER_ROW = 30;

test.each([50, 1_000])(
  "before PostgreSQL has statistics, a list of %i members scans no items",
  async (size) => {
    const accounts = await blocksOfTables("auth.users", "public.profiles");
    // The first call of a connection also reads the system catalogs.
    await blocksOf("select public.list_members()");
    const blocks = await blocksOf(`select public.list_members(page_size => ${size})`);
    expect(blocks).toBeLessThan(accounts + size * BLOCKS_PER_ROW);
  },
);

test("each page of the members continues after the last one, and counts each member's items", async () => {
  const emails: string[] = [];
  let last: Record<string, unknown> | undefined;
  do {
    const { rows } = await db.admin.query<{ member: Record<string, unknown> }>(
      "select public.list_members('', '', null, $1, $2, 1000) as member",
      [last?.["created_at"], last?.["id"]],
    );
    last = rows.at(-1)?.member;
    for (const { member } of rows) {
      emails.push(String(member["email"]));
      const isColleague = String(member["email"]).startsWith("colleague");
      const items = isColleague ? 3 : 13;
      expect(member["counts"]).toEqual(Object.fromEntries(KINDS.map(({ table }) => [table, items])));
    }
  } while (last);
  expect(emails).toHaveLength(MEMBERS + 1);
  const colleagues = Array.from({ length: MEMBERS }, (_, index) => `colleague${MEMBERS - index}@example.com`);
  expect(emails.filter((email) => email.startsWith("colleague"))).toEqual(colleagues);
});

test.each([
  ["Colleague 777", 3],
  ["777 COLLEAGUE7", 1],
  ["colleague77", 11],
  ["", 1_000],
  [" ", 1_000],
  ["%", 0],
])("a search of the members for %j finds %i", async (text, count) => {
  const { rowCount } = await db.admin.query(
    "select public.list_members(search_text => $1, page_size => 1000)",
    [text],
  );
  expect(rowCount).toBe(count);
});

test.each([
  ["Colleague 777", 1],
  ["ONE.WEBP", 1_000],
  ["%", 0],
])("a search of the pictures for %j finds %i", async (text, count) => {
  const { rowCount } = await db.admin.query(
    "select public.list_pictures(search_text => $1, page_size => 1000)",
    [text],
  );
  expect(rowCount).toBe(count);
});

test("a picture without a member in its path has no author", async () => {
  await db.admin.query("insert into storage.objects (bucket_id, name) values ('pictures', 'logo/a.webp')");
  const { rows } = await db.admin.query("select public.list_pictures(search_text => 'logo/') as picture");
  expect(rows).toMatchObject([{ picture: { path: "logo/a.webp", author_id: null, author: "" } }]);
});

test("members sorted by storage are in the order of the bytes that the list shows, and all pictures are read at most once", async () => {
  await db.admin.query(
    `update storage.objects set metadata = json_build_object('size', length(name) + ascii(name) * 1000)
     where bucket_id = 'pictures'`,
  );
  await db.admin.query("analyze");
  const { rows } = await db.admin.query<{ member: { storage: number } }>(
    "select public.sort_members(sorted_by => 'storage', page_size => 2000) as member",
  );
  const storage = rows.map(({ member }) => member.storage);
  expect(new Set(storage).size).toBeGreaterThan(5);
  expect(storage).toEqual(storage.toSorted((a, b) => b - a));
  const tables = ["auth.users", "public.profiles", "private.storage_use", "storage.objects"];
  const size = 20;
  const blocks = await blocksOf(
    `select public.sort_members(sorted_by => 'storage', cursor_bytes => 1000000, cursor_id => gen_random_uuid(),
      page_size => ${size})`,
  );
  expect(blocks).toBeLessThan((await blocksOfTables(...tables)) + size * BLOCKS_PER_ROW);
});
