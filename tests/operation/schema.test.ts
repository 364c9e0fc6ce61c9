import fc from "fast-check";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { storedName } from "../../common/data/author.ts";
import type { Column } from "../../common/data/columns.ts";
import { hasText } from "../../common/data/has-text.ts";
import { PROFILE_COLUMNS } from "../../common/data/profile-columns.ts";
import { KINDS } from "../../common/kinds/index.ts";
import { safeAddress } from "../../common/safe-address.ts";
import type { AuthContext } from "../../server/postgres/database.ts";
import { makeMember, startTestDatabase } from "../support/database.ts";
import { EACH_KIND, exampleRow } from "../support/example-rows.ts";

interface OwnedTable {
  table: string;
  owner: string;
  /** SQL: the columns and values of a row. */
  columns: string;
  values: string;
}

/** PostgreSQL's text form of a value of a form. */
const asText = (value: unknown) => (Array.isArray(value) ? `{${value.join(",")}}` : String(value));

const tables = ["profiles", "skills", ...KINDS.map(({ table }) => table)];
const owned: OwnedTable[] = [
  {
    table: "skills",
    owner: "profile_id",
    columns: "category, name, proficiency, years_experience",
    values: "'sql', 'Joins', 4, 2",
  },
  ...EACH_KIND.map(([table, kind]) => {
    const { [kind.ownerColumn]: _owner, ...fields } = exampleRow(kind, "");
    const values = Object.values(fields).map((value) => pg.escapeLiteral(asText(value)));
    return {
      table,
      owner: kind.ownerColumn,
      columns: Object.keys(fields).join(", "),
      values: values.join(", "),
    };
  }),
];

const db = await startTestDatabase();
const member = await makeMember(db.admin);
const other = await makeMember(db.admin);
afterAll(() => db.stop());

const service: AuthContext = { role: "service_role" };
const anon: AuthContext = { role: "anon" };
const as = (sub: string): AuthContext => ({ role: "authenticated", claims: { role: "authenticated", sub } });

function run(caller: AuthContext, sql: string, values: unknown[] = []): Promise<pg.QueryResult> {
  return db.database.transaction(caller, (client) => client.query(sql, values));
}

/** Inserts a row as its owner and returns the id. */
async function insertRow({ table, owner, columns, values }: OwnedTable, of = member): Promise<string> {
  const sql = `insert into public.${table} (${owner}, ${columns}) values ($1, ${values}) returning id`;
  return (await run(as(of), sql, [of])).rows[0]?.id;
}

test("every table in the schema public enforces row-level security, even for its owner", async () => {
  const { rows } = await db.admin.query(
    `select relname as name, relrowsecurity and relforcerowsecurity as forced
     from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f') order by 1`,
  );
  expect(rows).toEqual(
    [...tables, "versions", "operator_log"].sort().map((name) => ({ name, forced: true })),
  );
});

// A table with an owner is one with a column of type uuid that refers to a profile or an account.
const OWNED_TABLES = `
  select distinct c.relname as table, a.attname as owner
  from pg_constraint f join pg_class c on c.oid = f.conrelid
  join pg_attribute a on a.attrelid = c.oid and a.attnum = f.conkey[1]
  where f.contype = 'f' and c.relnamespace = 'public'::regnamespace
    and f.confrelid in ('public.profiles'::regclass, 'auth.users'::regclass) and c.relname <> 'versions'`;

test("every table with an owner has all policies, grants and triggers, and every content table has an owner", async () => {
  const { rows } = await db.admin.query<{ table: string; owner: string }>(OWNED_TABLES);
  expect(rows.map(({ table }) => table).sort()).toEqual([...tables].sort());
  const kinds = await db.admin.query<{ table: string }>(
    "select content_table as table from private.content_kinds",
  );
  for (const { table, owner } of rows) {
    const isKind = kinds.rows.some((kind) => kind.table === table);
    const triggers = await db.admin.query<{ name: string }>(
      `select tgname as name from pg_trigger where tgrelid = $1::regclass and not tgisinternal`,
      [`public.${table}`],
    );
    const required = [
      "keep_identity",
      ...["inserts", "updates", "deletes"].map((rows) => `settle_storage_of_${rows}`),
    ];
    const ofKinds = [
      "reserve_ids",
      "keep_changed_version",
      "keep_deleted_versions",
      "remove_expired_versions",
      "remove_reports",
    ];
    const names = triggers.rows.map(({ name }) => name);
    expect(names, table).toEqual(expect.arrayContaining([...required, ...(isKind ? ofKinds : [])]));
    const columns = await db.admin.query(
      "select from pg_attribute where attrelid = $1::regclass and attname = 'updated_at'",
      [`public.${table}`],
    );
    expect(names.includes("set_updated_at"), table).toBe(columns.rowCount === 1);
    const policies = await db.admin.query<{ policy: string; rules: string[] }>(
      `select cmd || ' ' || roles[1] as policy, array_remove(array[qual, with_check], null) as rules
       from pg_policies where schemaname = 'public' and tablename = $1`,
      [table],
    );
    const commands = ["SELECT", "INSERT", "UPDATE", ...(table === "profiles" ? [] : ["DELETE"])];
    expect(policies.rows.map(({ policy }) => policy).sort(), table).toEqual(
      [
        "SELECT anon",
        ...commands.map((command) => `${command} authenticated`),
        ...["SELECT", "INSERT", "UPDATE", "DELETE"].map((command) => `${command} service_role`),
      ].sort(),
    );
    for (const { policy, rules } of policies.rows) {
      const isOfOwner = policy.endsWith("authenticated") && !policy.startsWith("SELECT");
      const rule = isOfOwner ? `(${owner} = ( SELECT auth.uid() AS uid))` : "true";
      expect(new Set(rules), `${table} ${policy}`).toEqual(new Set([rule]));
    }
  }
  // Tables with content but without such a key would have no owner.
  const kindTables = kinds.rows.map(({ table }) => table);
  expect(kindTables.filter((table) => !tables.includes(table))).toEqual([]);
});

test("every foreign key has an index that starts with its column", async () => {
  const { rows } = await db.admin.query<{ key: string }>(
    `select f.conrelid::regclass || '.' || a.attname as key
     from pg_constraint f join pg_attribute a on a.attrelid = f.conrelid and a.attnum = f.conkey[1]
     where f.contype = 'f' and f.connamespace in ('public'::regnamespace, 'private'::regnamespace, 'auth'::regnamespace,
         'storage'::regnamespace)
       and not exists (select from pg_index i where i.indrelid = f.conrelid and i.indkey[0] = f.conkey[1] and i.indpred is null)`,
  );
  expect(rows).toEqual([]);
});

test("each policy applies to one command and one role, and evaluates auth.uid() once per statement", async () => {
  const { rows } = await db.admin.query<{ name: string; command: string; roles: string[]; rule: string }>(
    `select policyname as name, cmd as command, roles::text[] as roles, coalesce(qual, '') || coalesce(with_check, '') as rule
     from pg_policies where schemaname = 'public'`,
  );
  expect(rows.length).toBeGreaterThan(0);
  for (const { name, command, roles, rule } of rows) {
    expect(["SELECT", "INSERT", "UPDATE", "DELETE"], name).toContain(command);
    expect(roles, name).toHaveLength(1);
    expect(rule.replaceAll("( SELECT auth.uid() AS uid)", ""), name).not.toContain("auth.uid()");
  }
});

// The tables in the schema private are for the owner's functions alone.
test("each role has exactly the expected rights on each table", async () => {
  const { rows } = await db.admin.query<{ role: string; table: string; rights: string }>(
    `select rolname as role, replace(c.oid::regclass::text, 'public.', '') as table,
       string_agg("right", ' ' order by "right") as rights
     from pg_class c cross join pg_roles r
     cross join unnest(array['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger']) as "right"
     where relkind in ('r', 'v', 'm', 'p') and relnamespace::regnamespace::text in ('public', 'private', 'storage', 'auth')
       and rolname in ('anon', 'authenticated', 'service_role', 'supabase_auth_admin')
       and has_table_privilege(r.oid, c.oid, "right")
     group by 1, 2`,
  );
  const granted = Object.fromEntries(rows.map(({ role, table, rights }) => [`${role} ${table}`, rights]));
  // The role that signs members in owns nothing, but may do everything with the tables of accounts.
  const accounts = await db.admin.query<{ table: string }>(
    "select oid::regclass::text as table from pg_class where relkind = 'r' and relnamespace = 'auth'::regnamespace",
  );
  const expected = tables.flatMap((table) => [
    [`anon ${table}`, "select"],
    [`authenticated ${table}`, table === "profiles" ? "insert select update" : "delete insert select update"],
    [`service_role ${table}`, "delete insert select update"],
  ]);
  expect(granted).toEqual({
    ...Object.fromEntries(expected),
    ...Object.fromEntries(
      accounts.rows.map(({ table }) => [
        `supabase_auth_admin ${table}`,
        "delete insert references select trigger truncate update",
      ]),
    ),
    "authenticated versions": "select",
    "service_role versions": "delete select",
    "service_role operator_log": "insert select",
    "anon storage.buckets": "select",
    "authenticated storage.buckets": "select",
    "service_role storage.buckets": "select",
    "anon storage.objects": "select",
    "authenticated storage.objects": "delete insert select update",
    "service_role storage.objects": "delete insert select update",
    "authenticated storage.object_parts": "insert select",
    "service_role storage.object_parts": "insert select",
  });
});

/** The functions that clients may call, by the roles that may, in alphabetical order. */
const CALLABLE = {
  // The pure functions that checks and indexes call as their caller, also in a restore.
  "anon authenticated service_role supabase_auth_admin": [
    "private.collapse_spaces",
    "private.fold_accents",
    "private.fold_case",
    "private.has_text",
    "private.split_words",
    "private.title_hash",
    "private.unspaced",
    "storage.counted_bytes",
    "storage.foldername",
    ...["email", "jwt", "role", "session_is_live", "uid"].map((name) => `auth.${name}`),
  ],
  // The searches, and what they call as their caller.
  "anon authenticated service_role": [
    "private.containing",
    "private.find_kind",
    "private.is_listed",
    "private.trim_spaces",
    "public.find_item",
    "public.search_content",
    "public.search_everything",
    "public.search_items",
    "public.search_people",
  ],
  authenticated: ["private.is_own_picture"],
  "authenticated service_role": ["storage.folder_size"],
  service_role: [
    ...["database_state", "fill_search", "list_members", "list_pictures", "sort_members"],
    ...["close_invitation_link", "create_invitation_link", "find_invitation_link", "list_invitation_links"],
    ...["request_invitation", "return_place"],
    ...["add_report", "claim_report_email", "end_reports", "list_reports", "release_report_email"],
    "remove_old_reports",
  ].map((name) => `public.${name}`),
  supabase_auth_admin: [
    "auth.count_attempt",
    "auth.start_session",
    "auth.wait_for_attempt",
    "private.find_invitation",
    "private.remove_old_invitations",
    "private.take_place",
  ],
};

test("each role can call exactly the expected functions", async () => {
  const { rows } = await db.admin.query<{ roles: string; functions: string[] }>(
    `select roles, array_agg(name order by name) as functions from (
       select pronamespace::regnamespace || '.' || proname as name, string_agg(rolname, ' ' order by rolname) as roles
       from pg_proc p cross join pg_roles r
       where rolname in ('anon', 'authenticated', 'service_role', 'supabase_auth_admin')
         and pronamespace::regnamespace::text in ('public', 'private', 'storage', 'auth')
         and has_function_privilege(r.oid, p.oid, 'execute')
       group by p.oid
     ) as callable group by 1`,
  );
  expect(Object.fromEntries(rows.map(({ roles, functions }) => [roles, functions]))).toEqual(
    Object.fromEntries(Object.entries(CALLABLE).map(([roles, names]) => [roles, [...names].sort()])),
  );
});

test("only clients' roles can use the schemas", async () => {
  const { rows } = await db.admin.query<{ name: string; roles: string[] }>(
    `select nspname as name, array_agg(rolname::text order by rolname) as roles
     from pg_namespace n cross join pg_roles r
     where nspname in ('public', 'private', 'storage', 'auth')
       and rolname in ('anon', 'authenticated', 'service_role', 'supabase_auth_admin')
       and has_schema_privilege(r.oid, n.oid, 'usage')
     group by 1`,
  );
  const clients = ["anon", "authenticated", "service_role"];
  expect(Object.fromEntries(rows.map(({ name, roles }) => [name, roles]))).toEqual({
    public: [...clients, "supabase_auth_admin"],
    private: [...clients, "supabase_auth_admin"],
    auth: [...clients, "supabase_auth_admin"],
    storage: clients,
  });
});

// Servers on which service_role can't bypass row-level security need the policies for it.
test("each table without an owner has exactly the expected policies", async () => {
  const { rows } = await db.admin.query<{ policy: string; hasCondition: boolean }>(
    `select format('%s.%s %s %s', schemaname, tablename, lower(cmd), array_to_string(roles, ' ')) as policy,
       coalesce(qual, 'true') <> 'true' or coalesce(with_check, 'true') <> 'true' as "hasCondition"
     from pg_policies where schemaname <> 'public' or tablename in ('versions', 'operator_log')`,
  );
  const policies = (hasCondition: boolean) =>
    rows.filter((row) => row.hasCondition === hasCondition).map(({ policy }) => policy);
  expect(policies(true).sort()).toEqual([
    "public.operator_log delete service_role",
    "public.versions select authenticated",
    "storage.object_parts insert authenticated",
    "storage.object_parts select authenticated",
    "storage.objects delete authenticated",
    "storage.objects insert authenticated",
    "storage.objects select authenticated",
    "storage.objects update authenticated",
  ]);
  expect(policies(false).sort()).toEqual([
    "public.operator_log insert service_role",
    "public.operator_log select service_role",
    ...["delete", "insert", "select", "update"].map((command) => `public.versions ${command} service_role`),
    "storage.buckets select service_role",
    ...["insert", "select"].map((command) => `storage.object_parts ${command} service_role`),
    ...["delete", "insert", "select", "update"].map((command) => `storage.objects ${command} service_role`),
  ]);
});

test("every table in the schemas auth and storage enforces row-level security", async () => {
  const { rows } = await db.admin.query(
    `select oid::regclass::text as table from pg_class
     where relkind in ('r', 'p') and relnamespace::regnamespace::text in ('auth', 'storage') and not relrowsecurity`,
  );
  expect(rows).toEqual([]);
});

test("the lists' search removes the same white space from the ends of a text as JavaScript", async () => {
  const { rows } = await db.admin.query<{ code: number }>(
    `select code from generate_series(1, 65535) as code
     where code not between 55296 and 57343 and private.trim_spaces(chr(code)) = ''`,
  );
  const blank = Array.from({ length: 65_536 }, (_, code) => code).filter(
    (code) => String.fromCharCode(code).trim() === "",
  );
  expect(rows.map(({ code }) => code)).toEqual(blank);
});

test("functions in the schemas public and private, and security definer functions in auth, have an empty search path", async () => {
  const { rows } = await db.admin.query(
    `select p.oid::regprocedure::text as function from pg_proc p
     where (pronamespace in ('public'::regnamespace, 'private'::regnamespace)
         or prosecdef and pronamespace = 'auth'::regnamespace)
       and not coalesce('search_path=""' = any (proconfig), false)`,
  );
  expect(rows).toEqual([]);
});

test.each([
  "users",
  "identities",
  "sessions",
  "refresh_tokens",
  "one_time_tokens",
  "flow_state",
  "rate_limits",
])("clients cannot read auth.%s", async (table) => {
  for (const caller of [anon, as(member), service]) {
    await expect(run(caller, `select from auth.${table}`)).rejects.toMatchObject({ code: "42501" });
  }
});

test("a new account gets an empty profile, and deleting the account deletes its skills, articles, links and code samples", async () => {
  const id = await makeMember(db.admin);
  const { rows } = await run(anon, "select * from public.profiles where id = $1", [id]);
  expect(rows).toMatchObject([{ username: null, full_name: null, featured: false, featured_skills: [] }]);
  for (const kind of owned) await insertRow(kind, id);
  await db.admin.query("delete from auth.users where id = $1", [id]);
  for (const { table, owner } of owned) {
    expect((await run(anon, `select from public.${table} where ${owner} = $1`, [id])).rowCount).toBe(0);
  }
});

test.each(owned.filter(({ table }) => table !== "skills"))(
  "an item of $table can be searched for as long as it exists",
  async (kind) => {
    const id = await insertRow(kind);
    const documents = async () =>
      (await db.admin.query("select kind from private.search_documents where id = $1", [id])).rows;
    expect(await documents()).toEqual([{ kind: kind.table }]);
    await run(as(member), `delete from public.${kind.table} where id = $1`, [id]);
    expect(await documents()).toEqual([]);
  },
);

test.each(owned)(
  "visitors and other members can neither change a member's row of $table nor insert one in the member's name",
  async (kind) => {
    const { table, owner, columns, values } = kind;
    const id = await insertRow(kind);
    const insert = `insert into public.${table} (${owner}, ${columns}) values ($1, ${values})`;
    await expect(run(as(other), insert, [member])).rejects.toMatchObject({ code: "42501" });
    await expect(run(anon, insert, [member])).rejects.toMatchObject({ code: "42501" });
    for (const sql of [`update public.${table} set created_at = now()`, `delete from public.${table}`]) {
      expect((await run(as(other), `${sql} where id = $1`, [id])).rowCount).toBe(0);
      await expect(run(anon, `${sql} where id = $1`, [id])).rejects.toMatchObject({ code: "42501" });
    }
    const upsert = `insert into public.${table} (id, ${owner}, ${columns}) values ($1, $2, ${values})
    on conflict (id) do update set ${owner} = excluded.${owner}`;
    await expect(run(as(other), upsert, [id, other])).rejects.toMatchObject({ code: "42501" });
  },
);

test.each(owned)(
  "the owner of a row of $table cannot change its id, owner or creation time",
  async (kind) => {
    const { table, owner } = kind;
    const id = await insertRow(kind);
    const read = async () =>
      (await run(anon, `select id, ${owner}, created_at from public.${table} where id = $1`, [id])).rows;
    const before = await read();
    const sql = `update public.${table} set id = gen_random_uuid(), ${owner} = $2, created_at = '2001-01-01' where id = $1`;
    expect((await run(as(member), sql, [id, other])).rowCount).toBe(1);
    expect(await read()).toEqual(before);
    // The role service_role can change the row's id, owner and creation time.
    const changed = await run(service, `${sql} returning ${owner}, created_at`, [id, other]);
    expect(changed.rows).toEqual([{ [owner]: other, created_at: new Date("2001-01-01") }]);
    expect(await read()).toEqual([]);
  },
);

test("members cannot delete their profile, change its id or creation time, or change another member's profile", async () => {
  const sql =
    "update public.profiles set id = gen_random_uuid(), created_at = '2001-01-01', bio = 'x' where id = $1";
  expect((await run(as(other), sql, [member])).rowCount).toBe(0);
  expect((await run(as(member), sql, [member])).rowCount).toBe(1);
  const { rows } = await run(anon, "select bio, created_at from public.profiles where id = $1", [member]);
  expect(rows[0]?.bio).toBe("x");
  expect(rows[0]?.created_at.getFullYear()).not.toBe(2001);
  await expect(run(as(member), "delete from public.profiles where id = $1", [member])).rejects.toMatchObject({
    code: "42501",
  });
});

test.each(["articles", "code_samples", "profiles"])(
  "saving a row of %s sets updated_at to the server's time",
  async (table) => {
    const kind = owned.find((each) => each.table === table);
    const id = kind ? await insertRow(kind) : member;
    const sql = `update public.${table} set updated_at = '2001-01-01' where id = $1
    returning updated_at = now() as dated`;
    expect((await run(as(member), sql, [id])).rows).toEqual([{ dated: true }]);
  },
);

test("a creation time in the future is stored as the current time, and one in the past is kept", async () => {
  const sql = `insert into public.articles (author_id, title, content, created_at)
    values ($1, 'T', 'C', $2) returning created_at = now() as now, created_at`;
  expect((await run(as(member), sql, [member, "2999-01-01"])).rows).toMatchObject([{ now: true }]);
  const past = new Date("2020-02-02T00:00:00Z");
  expect((await run(as(member), sql, [member, past])).rows).toMatchObject([{ created_at: past }]);
});

test("a new item's updated_at is its creation time, so an item from a file of 2020 isn't shown as updated today", async () => {
  for (const role of [as(member), service]) {
    const sql = `insert into public.articles (author_id, title, content, created_at, updated_at)
      values ($1, 'T', 'C', $2, '2999-01-01')
      returning updated_at = created_at as same, updated_at = now() as now`;
    const rows = async (time: string) => (await run(role, sql, [member, time])).rows;
    expect(await rows("2020-02-02")).toEqual([{ same: true, now: false }]);
    expect(await rows("2999-01-01")).toMatchObject([{ now: true }]);
  }
});

test.each(owned)(
  "a creation time before the year 1 is stored in $table as the beginning of the year 1",
  async (kind) => {
    const { table, owner, columns, values } = kind;
    const sql = `insert into public.${table} (${owner}, ${columns}, created_at) values ($1, ${values}, $2)
    returning created_at = '0001-01-01 00:00+00' as "isEarliest"`;
    for (const early of ["-infinity", "0044-03-15 00:00+00 BC"]) {
      expect((await run(as(member), sql, [member, early])).rows).toEqual([{ isEarliest: true }]);
    }
  },
);

test.each([
  ["skills", "proficiency", "0"],
  ["skills", "proficiency", "6"],
  ["skills", "years_experience", "-1"],
  ["skills", "years_experience", "81"],
  ["skills", "category", "'java'"],
  ["articles", "title", "''"],
  ["articles", "title", "E' \\n\\u00a0\\u3000'"],
  ["articles", "content", "''"],
  ["articles", "content", "E' \\n\\u00a0\\u3000'"],
  ["useful_links", "title", "''"],
  ["useful_links", "title", "E' \\n\\u00a0\\u3000'"],
  ["useful_links", "url", "''"],
  ["useful_links", "url", "E' \\n\\u00a0\\u3000'"],
  ["useful_links", "category", "''"],
  ["useful_links", "category", "E' \\n\\u00a0\\u3000'"],
  ["useful_links", "url", "'javascript:alert(1)'"],
  ["code_samples", "title", "''"],
  ["code_samples", "title", "E' \\n\\u00a0\\u3000'"],
  ["code_samples", "code_content", "''"],
  ["code_samples", "code_content", "E' \\n\\u00a0\\u3000'"],
  ["code_samples", "language", "''"],
  ["code_samples", "language", "'cobol'"],
])("the column %s.%s rejects the value %s", async (table, column, value) => {
  const kind = owned.find((each) => each.table === table);
  if (kind === undefined) throw new Error(`No table ${table}`);
  const id = await insertRow(kind);
  const sql = `update public.${table} set ${column} = ${value} where id = $1`;
  await expect(run(as(member), sql, [id])).rejects.toMatchObject({ code: "23514" });
});

test("a member can enter up to 80 years of experience", async () => {
  const update = "update public.profiles set years_experience = $2 where id = $1";
  expect((await run(as(member), update, [member, 80])).rowCount).toBe(1);
  await expect(run(as(member), update, [member, 81])).rejects.toMatchObject({ code: "23514" });
});

test("URL checks accept exactly the schemes that Markdown rendering accepts", async () => {
  const part = fc.constantFrom(
    "http",
    "HTTPS",
    "javascript",
    "irc",
    "mailto",
    "xmpp",
    "data",
    ":",
    "/",
    "?",
    "#",
    "a",
    " ",
    "\n",
    "ſ",
    "İ",
  );
  const address = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(""));
  const arbitrary = fc.oneof(address, fc.string({ unit: "grapheme" })).filter((text) => !text.includes("\0"));
  const sample = fc.sample(arbitrary, { numRuns: 3_000, seed: 20260101 });
  const rule =
    "select pg_get_constraintdef(oid) as rule from pg_constraint where conname = 'web_address_scheme_check'";
  const [check] = (await db.admin.query<{ rule: string }>(rule)).rows;
  const condition = check?.rule.replace(/^CHECK/, "").replaceAll("VALUE", "address");
  const { rows } = await db.admin.query<{ address: string; passes: boolean }>(
    `select address, ${condition} as passes from unnest($1::text[]) as tried (address)`,
    [sample],
  );
  const wrong = rows.filter(({ address, passes }) => passes !== (safeAddress(address) === address));
  expect(wrong).toEqual([]);
});

test("the database and the pages agree for every character on whether a text of only this character is blank", async () => {
  const { rows } = await db.admin.query<{ code: number }>(
    `select code from generate_series(1, 1114111) as code
     where code not between 55296 and 57343 and not private.has_text(chr(code)) order by code`,
  );
  const blank = Array.from({ length: 0x110000 }, (_, code) => code).filter(
    (code) => code > 0 && !(code >= 0xd800 && code <= 0xdfff) && !hasText(String.fromCodePoint(code)),
  );
  expect(rows.map(({ code }) => code)).toEqual(blank);
});

test("the database and the pages agree on people's names", async () => {
  const texts = [
    null,
    "",
    " ",
    "\u200b",
    "\u2060\ufeff\u200d",
    "\u3164",
    "\u2800 ",
    "Ada",
    "\u200bAda",
    " Ada\t",
  ];
  const people = texts.flatMap((full_name) => texts.map((username) => ({ full_name, username })));
  const { rows } = await db.admin.query<{ name: string | null }>(
    `select private.name_of(full_name, username) as name
     from rows from (json_to_recordset($1) as (full_name text, username text)) with ordinality
       as people (full_name, username, place) order by place`,
    [JSON.stringify(people)],
  );
  expect(rows.map(({ name }) => name ?? "")).toEqual(people.map(storedName));
});

test.each([
  [
    "published articles",
    "select id from public.articles where published order by created_at desc, id limit 3",
    "articles_published_idx",
  ],
  [
    "articles by date",
    "select id from public.articles order by created_at desc, id limit 20",
    "articles_created_at_idx",
  ],
  [
    "links by date",
    "select id from public.useful_links order by created_at desc, id limit 10",
    "useful_links_created_at_idx",
  ],
  [
    "samples by date",
    "select id from public.code_samples order by created_at desc, id limit 10",
    "code_samples_created_at_idx",
  ],
  [
    "skills of a member",
    "select id from public.skills where profile_id = '00000000-0000-0000-0000-000000000000'",
    "skills_profile_id_idx",
  ],
  [
    "featured profiles",
    "select id from public.profiles where featured order by years_experience desc, id limit 3",
    "profiles_featured_idx",
  ],
])("the query for %s can use its index", async (_name, sql, index) => {
  const client = await db.admin.connect();
  try {
    // Tests that the planner can use the index. On a table this small, a sequential scan would be cheaper.
    await client.query("begin; set local enable_seqscan = off; set local enable_sort = off");
    const { rows } = await client.query(`explain (costs off) ${sql}`);
    expect(rows.map((row) => row["QUERY PLAN"]).join("\n")).toContain(index);
  } finally {
    await client.query("rollback");
    client.release();
  }
});

/** The limits in docs/contract.md, by the columns' types. */
const LIMITS = {
  short_text: 1_000,
  skill_name: 100,
  web_address: 4_000,
  description: 20_000,
  long_text: 500_000,
};

const TEXT_COLUMNS = `
  select table_name as table, column_name as column, domain_name as domain
  from information_schema.columns
  where table_schema = 'public' and table_name = any ($1) and data_type = 'text'`;

const columnsOfKinds = (isIncluded: (column: Column) => boolean) =>
  KINDS.flatMap(({ table, columns }) =>
    Object.entries(columns).flatMap(([name, column]) => (isIncluded(column) ? `${table}.${name}` : [])),
  );

test("every text that a member writes has a limit, counted in characters", async () => {
  const { rows } = await db.admin.query<{
    table: string;
    column: string;
    domain: keyof typeof LIMITS | null;
  }>(TEXT_COLUMNS, [tables]);
  // These columns allow only the values of a list.
  const choices = ["skills.category", ...columnsOfKinds(({ type }) => type === "choice")];
  const limited = rows.filter(({ table, column }) => !choices.includes(`${table}.${column}`));
  expect(limited.map(({ table, column }) => `${table}.${column}`)).toEqual(
    expect.arrayContaining(columnsOfKinds((column) => "maxLength" in column && column.type !== "list")),
  );
  for (const { table, column, domain } of limited) {
    const limit = domain === null ? 0 : LIMITS[domain];
    const kind = owned.find((each) => each.table === table);
    const id = kind ? await insertRow(kind) : member;
    const update = `update public.${table} set ${column} = $2 where id = $1`;
    const longest = "".padEnd(limit, "Zoë reads. ");
    expect((await run(as(member), update, [id, longest])).rowCount, `${table}.${column}`).toBe(1);
    const longer = run(as(member), update, [id, "x".repeat(limit + 1)]);
    await expect(longer, `${table}.${column}`).rejects.toMatchObject({ code: "23514" });
  }
});

test("featured skills, separated by commas, can have as many characters as their field in the form accepts", async () => {
  const { maxLength } = PROFILE_COLUMNS.featured_skills;
  const update = "update public.profiles set featured_skills = $2 where id = $1";
  const skills = (characters: number) => ["SQL", "é".repeat(characters - 4)];
  expect(skills(maxLength).join(",")).toHaveLength(maxLength);
  expect((await run(as(member), update, [member, skills(maxLength)])).rowCount).toBe(1);
  await expect(run(as(member), update, [member, skills(maxLength + 1)])).rejects.toMatchObject({
    code: "23514",
  });
});

test.each([
  ["with 20,001 empty strings", "stored", Array(20_001).fill("")],
  ["with 20,002 empty strings", "rejected", Array(20_002).fill("")],
  ["with a null", "rejected", ["SQL", null]],
  ["of lists", "rejected", [["SQL"], ["Python"]]],
])("a list of featured skills %s is %s", async (_name, outcome, list) => {
  const update = "update public.profiles set featured_skills = $2 where id = $1";
  const result = await run(as(member), update, [member, list]).then(
    () => "stored",
    ({ code }) => (code === "23514" ? "rejected" : code),
  );
  expect(result).toBe(outcome);
});

test("username_since is the time of the username's last change, whatever a member sends", async () => {
  const update = (assignments: string) =>
    run(
      as(member),
      `update public.profiles set ${assignments} where id = $1 returning username_since = now() as "isNew"`,
      [member],
    );
  const upsert = `insert into public.profiles (id, username, username_since) values ($1, 'first', '2001-01-01')
    on conflict (id) do update set username = excluded.username, username_since = excluded.username_since
    returning username_since = now() as "isNew"`;
  expect((await update("username = 'first'")).rows).toEqual([{ isNew: true }]);
  expect((await update("bio = 'x', username = 'first', username_since = '2001-01-01'")).rows).toEqual([
    { isNew: false },
  ]);
  expect((await run(as(member), upsert, [member])).rows).toEqual([{ isNew: false }]);
  expect((await update("username = 'second', username_since = '2001-01-01'")).rows).toEqual([
    { isNew: true },
  ]);
  expect((await update("username = 'first'")).rows).toEqual([{ isNew: true }]);
});
