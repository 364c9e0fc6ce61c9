// Tests that the searches' indexes are rebuilt after a member with many different words is removed.
import { afterAll, expect, test } from "vitest";
import { largeSearchIndexes, rebuildLargeIndexes } from "../../server/postgres/search-indexes.ts";
import { startTestDatabase } from "../support/database.ts";

const MIN_BYTES = 1_000_000;
const WORDS = "private.search_documents_words_idx";

const site = await startTestDatabase();
const admin = await site.admin.connect();
afterAll(async () => {
  admin.release();
  await site.stop();
});
const sizeOf = async (relation: string) =>
  (await admin.query("select pg_relation_size($1::regclass)::integer as size", [relation])).rows[0].size;

test("the indexes of a removed member's words are rebuilt once, without an unfinished one, if the disk has room", async () => {
  const { rows } = await admin.query(
    "insert into auth.users (id, email) values (gen_random_uuid(), 'many@example.com') returning id",
  );
  await admin.query(
    `insert into public.articles (author_id, title, content, published)
     select $1, 'Words', (select string_agg(md5(item || ' ' || word), ' ') from generate_series(1, 4000) as word), true
     from generate_series(1, 12) as item`,
    [rows[0].id],
  );
  expect(await largeSearchIndexes(admin, 100 * MIN_BYTES)).toEqual([]);
  await admin.query("delete from auth.users");
  await admin.query("vacuum private.search_documents");
  const { rows: sampled } = await admin.query("select count(*)::integer as count from private.search_sample");
  expect(sampled[0].count).toBeGreaterThan(500);

  const large = await largeSearchIndexes(admin, MIN_BYTES);
  expect(large.map(({ name }) => name)).toContain(WORDS);
  expect(await rebuildLargeIndexes(admin, async () => false, MIN_BYTES)).toEqual([]);
  // An interrupted rebuild leaves such an index.
  await admin.query("create index words_ccnew on private.search_documents using gin (words)");
  await admin.query(
    "update pg_index set indisvalid = false where indexrelid = 'private.words_ccnew'::regclass",
  );
  const asked: number[] = [];
  const rebuilt = await rebuildLargeIndexes(
    admin,
    async (bytes) => {
      asked.push(bytes);
      return true;
    },
    MIN_BYTES,
  );
  expect(rebuilt).toEqual(large.map(({ name }) => name));
  expect(asked).toEqual(large.map(({ bytes }) => bytes));
  expect(await sizeOf(WORDS)).toBeLessThan(MIN_BYTES / 10);
  const { rows: left } = await admin.query(
    `select (select count(*)::integer from private.search_sample) as sampled,
       to_regclass('private.words_ccnew') as unfinished`,
  );
  expect(left).toEqual([{ sampled: 0, unfinished: null }]);
  expect(await rebuildLargeIndexes(admin, async () => true, MIN_BYTES)).toEqual([]);
});
