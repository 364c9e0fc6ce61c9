// Tests that each index serves a statement of the site. Without one of them, the site gives the same answers, but slowly.
import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { KINDS } from "../../common/kinds/index.ts";
import { makeMember, startTestDatabase } from "../support/database.ts";
import { EACH_KIND, exampleRow } from "../support/example-rows.ts";

const db = await startTestDatabase();
const client = await db.admin.connect();
afterAll(async () => {
  client.release();
  await db.stop();
});

const id = `'${randomUUID()}'`;
const newest = "order by created_at desc, id limit 10";
const since = (column: string, age: string) => `${column} > now() - interval '${age}'`;
const until = (column: string, age: string) => `${column} <= now() - interval '${age}'`;

const { rows: kinds } = await client.query<{ table: string; published: boolean; updated: boolean }>(
  `select content_table as table, is_publishable as published, exists (select from pg_attribute
     where attrelid = ('public.' || content_table)::regclass and attname = 'updated_at') as updated
   from private.content_kinds`,
);
const ownerOf = (table: string) => KINDS.find((kind) => kind.table === table)?.ownerColumn ?? "";

/** The statements are parts of those in supabase/schemas/ and server/: what the planner chooses an index for. */
const STATEMENTS: Record<string, string> = {
  "public.profiles_featured_idx":
    "from public.profiles where featured order by years_experience desc nulls last, id limit 3",
  "public.profiles_username_idx": "from public.profiles where username = 'ada'",
  "public.profiles_unlisted_until_idx": "from public.profiles where unlisted_until > now()",
  "public.skills_profile_id_idx": `from public.skills where profile_id = ${id} order by proficiency desc`,
  "public.versions_item_idx": `from public.versions where item_id = ${id}`,
  "public.versions_profile_id_idx": `from public.versions where profile_id = ${id} order by replaced_at desc limit 10`,
  "public.versions_replaced_at_idx": `from public.versions where ${until("replaced_at", "90 days")} order by replaced_at limit 100`,
  "public.operator_log_created_at_idx": `from public.operator_log ${newest}`,
  "private.search_documents_words_idx": "from private.search_documents where words @@ 'join'::tsquery",
  "private.search_documents_listed_idx": "from private.search_documents where listed like '%join%'",
  "private.search_documents_newest_idx": `from private.search_documents where kind = 'articles' ${newest}`,
  "private.search_documents_owner_idx": `from private.search_documents where owner = ${id} and kind = 'articles' ${newest}`,
  "private.search_documents_by_experience_idx":
    "from private.search_documents where kind = 'people' and is_listed order by by_experience, id limit 10",
  "private.search_documents_by_name_idx":
    "from private.search_documents where kind = 'people' and is_listed order by by_name, id limit 10",
  "private.search_words_word_idx": "from private.search_words where word = 'join'",
  "private.search_words_owner_idx": `from private.search_words where owner = ${id}`,
  "private.search_words_similar_idx": "from private.search_words where word like '%join%'",
  "private.search_sample_key_idx": "from private.search_sample where key >= 'joi' and key < 'joj'",
  "private.invitation_emails_link_id_idx": `from private.invitation_emails where link_id = ${id}`,
  "private.invitation_emails_email_idx": `from private.invitation_emails where email = 'a@example.com' and ${since("sent_at", "1 day")}`,
  "private.invitation_emails_client_idx": `from private.invitation_emails where client = '::1' and ${since("sent_at", "1 hour")}`,
  "private.invitation_emails_sent_at_idx": `from private.invitation_emails where ${until("sent_at", "1 day")} limit 1000`,
  "private.reports_subject_idx": `from private.reports where subject_table = 'articles' and subject_id = ${id}`,
  "private.reports_created_at_idx": `from private.reports where ${until("created_at", "90 days")}`,
  "private.report_senders_client_idx": `from private.report_senders where client = '::1' and ${since("sent_at", "1 hour")}`,
  ...Object.assign(
    {},
    ...kinds.map(({ table, published, updated }) => ({
      [`public.${table}_created_at_idx`]: `from public.${table} ${newest}`,
      [`public.${table}_${ownerOf(table)}_idx`]: `from public.${table} where ${ownerOf(table)} = ${id} ${newest}`,
      [`public.${table}_address_idx`]: `from public.${table} where right(id::text, 12) = '0123456789ab'`,
      ...(published && {
        [`public.${table}_published_idx`]: `from public.${table} where published ${newest}`,
      }),
      ...(updated && {
        [`public.${table}_updated_at_idx`]: `from public.${table} ${published ? "where published" : ""} order by updated_at desc limit 1`,
      }),
    })),
  ),
};

test("each index has a statement below that it serves", async () => {
  const { rows } = await client.query<{ name: string }>(
    `select relnamespace::regnamespace || '.' || relname as name
     from pg_index join pg_class c on c.oid = indexrelid
     where relnamespace::regnamespace::text in ('public', 'private')
       and not exists (select from pg_constraint where conindid = indexrelid)`,
  );
  expect(rows.map(({ name }) => name).sort()).toEqual(Object.keys(STATEMENTS).sort());
});

test.each(Object.entries(STATEMENTS))("%s serves %s", async (index, statement) => {
  // The tables are empty, so the planner would read them whole.
  await client.query("begin; set local enable_seqscan = off; set local enable_sort = off");
  const { rows } = await client.query<{ "QUERY PLAN": string }>(`explain (costs off) select ${statement}`);
  await client.query("rollback");
  const [, name] = index.split(".");
  expect(rows.map((row) => row["QUERY PLAN"]).join("\n")).toMatch(new RegExp(` (on|using) ${name}\\b`));
});

test.each(EACH_KIND)("two rows of %s can't have the same address", async (table, kind) => {
  const owner = await makeMember(db.admin);
  const insert = (itemId: string) => {
    const row = { ...exampleRow(kind, owner), id: itemId };
    const names = Object.keys(row);
    const places = names.map((_, index) => `$${index + 1}`);
    return client.query(
      `insert into public.${table} (${names.join()}) values (${places.join()})`,
      Object.values(row),
    );
  };
  await insert("00000000-0000-4000-8000-0123456789ab");
  await expect(insert("11111111-0000-4000-8000-0123456789ab")).rejects.toMatchObject({ code: "23505" });
});
