import { EventEmitter } from "node:events";
import { copyFile, readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { gunzipSync, zstdDecompressSync } from "node:zlib";
import pg from "pg";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { PUBLIC_PATH } from "../../common/pictures/picture-path.ts";
import { signKeys } from "../../server/auth/keys.ts";
import { chooseBackend } from "../../server/backends/choose.ts";
import { DUMPED_TABLES } from "../../server/cli/dump/dumped-tables.ts";
import { backup } from "../../server/cli/programs/backup.ts";
import { doctor } from "../../server/cli/programs/doctor.ts";
import { OperatorError } from "../../server/config/operator-error.ts";
import { readSettings } from "../../server/config/settings.ts";
import { createLog } from "../../server/http/log.ts";
import {
  AWKWARD_TEXT,
  backUp,
  MEMBER_LOGIN,
  restore,
  startSharedSite,
  startSite,
  startSiteOn,
} from "../support/backups.ts";
import { runCommand, runServerProgram } from "../support/command.ts";
import { adminLogin, readKeys } from "../support/data-dir.ts";
import { startExternalServer } from "../support/external-server.ts";
import { makePng, pathOf } from "../support/pictures.ts";
import { adminOf, clientOf, startHere, temporaryFolder } from "../support/process.ts";
import { readAllRows } from "../support/rows.ts";
import { runHere } from "../support/run-here.ts";

const WAIT_OPTIONS = { timeout: 30_000 };

const external = await startExternalServer();
/** For tests that don't change or stop it. They may sign in. */
const sharedSite = await startSharedSite();
const sharedSettings = { DATA_DIR: sharedSite.dataDir };
afterAll(() => Promise.all([sharedSite.stop(), external.stop()]));
const hasPsql = await runCommand("psql", ["--version"]).then(
  ({ code }) => code === 0,
  () => false,
);

const sessionTables = new Set([
  "auth.sessions",
  "auth.refresh_tokens",
  "auth.one_time_tokens",
  "auth.flow_state",
  "auth.rate_limits",
]);

function withoutSessions(rows: Map<string, string[]>): [string, string[]][] {
  return [...rows].map(([table, values]) => [table, sessionTables.has(table) ? [] : values]);
}

test("a backup of a site under load is a consistent snapshot, and a copy restored from it lacks only sessions, tokens and later writes", async () => {
  const site = await startSite();
  const acknowledged: string[] = [];
  const refused: string[] = [];
  let isWriting = true;
  onTestFinished(() => {
    isWriting = false;
  });
  // Each request inserts two links in one transaction, so a consistent snapshot contains both or neither.
  const write = async (writer: number) => {
    for (let count = 0; isWriting; count++) {
      const title = `${writer}/${count}`;
      const link = { profile_id: site.member, title, url: "/", category: "Load" };
      const { error } = await site.service.from("useful_links").insert([link, link]);
      if (error === null) acknowledged.push(title);
      else refused.push(error.message);
    }
  };
  const writers = Array.from({ length: 3 }, (_, writer) => write(writer));
  await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(20), WAIT_OPTIONS);
  const before = [...acknowledged];
  const file = await backUp({ DATA_DIR: site.dataDir });
  await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(before.length + 20), WAIT_OPTIONS);
  isWriting = false;
  await Promise.all(writers);
  expect(refused).toEqual([]);

  const DATABASE_URL = await external.createDatabase();
  expect(await restore(file, { DATABASE_URL })).toMatchObject({ code: 0, stderr: "" });
  const source = await readAllRows(await adminLogin(site.dataDir));
  const copy = await readAllRows({ connectionString: DATABASE_URL });

  const links = copy.get("public.useful_links") ?? [];
  const written = new Set(source.get("public.useful_links"));
  expect(links.filter((row) => !written.has(row))).toEqual([]);
  const title = (row: string) => /\d+\/\d+/.exec(row)?.[0] ?? "";
  const times = Map.groupBy(links, title);
  expect([...times.values()].filter((rows) => rows.length !== 2)).toEqual([]);
  expect(before.filter((each) => !times.has(each))).toEqual([]);

  source.set("public.useful_links", links);
  expect([...copy]).toEqual(withoutSessions(source));
  expect(copy.get("public.articles")).toHaveLength(1);
});

test("a backup contains no refresh token and no signing secret, and in a restored copy, members can sign in and find their articles and pictures, but their old sessions have ended", async () => {
  const { anonKey, jwtSecret } = await readKeys(sharedSite.dataDir);
  const signedIn = await clientOf(sharedSite, anonKey).auth.signInWithPassword(MEMBER_LOGIN);
  const file = await backUp(sharedSettings);
  const dump = await readFile(file, "utf8");
  expect(dump).not.toContain(signedIn.data.session?.refresh_token);
  expect(dump).not.toContain(jwtSecret);

  const dataDir = await temporaryFolder();
  // An operator may copy the keys to the new folder before the restore. Even then, old sessions must not work.
  await copyFile(path.join(sharedSite.dataDir, "keys.json"), path.join(dataDir, "keys.json"));
  expect(await runServerProgram("server/cli/restore.ts", [file], { DATA_DIR: dataDir })).toMatchObject({
    code: 0,
    stderr: "",
  });
  const copy = await startSiteOn(dataDir);
  const member = clientOf(copy, anonKey);
  expect((await member.auth.signInWithPassword(MEMBER_LOGIN)).error).toBeNull();
  const ended = await fetch(`${copy.url}/rest/v1/articles`, {
    headers: { apikey: anonKey, Authorization: `Bearer ${signedIn.data.session?.access_token}` },
  });
  expect(ended.status).toBe(401);
  const picture = makePng(30, 20, 1, 700_000);
  const response = await fetch(`${copy.url}${PUBLIC_PATH}${pathOf(sharedSite.member, picture)}`);
  expect(Buffer.from(await response.arrayBuffer())).toEqual(picture.bytes);
  const { data } = await member.from("articles").select("title, content, created_at");
  expect(data).toEqual([
    { title: AWKWARD_TEXT, content: AWKWARD_TEXT, created_at: "2025-01-02T03:04:05.6+00:00" },
  ]);
});

test("backups in a folder have names of their own, are compressed, and replace the oldest ones with --keep", async () => {
  const folder = await temporaryFolder();
  for (let round = 0; round < 3; round++) {
    const { code, stdout } = await runHere(backup, [folder, "--keep", "2", "--days", "30"], sharedSettings);
    expect(code).toBe(0);
    expect(stdout).toMatch(/accounts, \d+ rows, \d+ bytes, in \d+\.\d s\./);
    expect(stdout.includes("Deleted 1 older backup")).toBe(round === 2);
  }
  const names = (await readdir(folder)).sort();
  expect(names).toHaveLength(2);
  const newest = path.join(folder, names[1] ?? "");
  const plain = await readFile(await backUp(sharedSettings), "utf8");
  expect(zstdDecompressSync(await readFile(newest)).toString()).toBe(plain);
  // The program zstd exists on the machine of an operator who moves to a Supabase project.
  const tested = await runCommand("zstd", ["--test", newest]).catch(() => undefined);
  expect(tested?.code ?? 0).toBe(0);
  const gzipped = path.join(folder, "site.sql.gz");
  expect(await runHere(backup, [gzipped], sharedSettings)).toMatchObject({ code: 0 });
  expect(gunzipSync(await readFile(gzipped)).toString()).toBe(plain);
});

test("a backup whose copy fails doesn't count as one", async () => {
  const folder = await temporaryFolder();
  const copy = path.join(folder, "copy.zst");
  const site = await startSite();
  const settings = { DATA_DIR: site.dataDir, PORT: new URL(site.url).port };
  const failed = await runHere(backup, [folder, "--run", "exit 3"], settings);
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining("failed (exit code 3)") });
  expect((await runHere(doctor, [], settings)).stdout).toContain("No backup has been made yet.");
  const command = `cp "$BACKUP" '${copy}'`;
  expect(await runHere(backup, [folder, "--run", command], settings)).toMatchObject({ code: 0 });
  expect((await stat(copy)).size).toBeGreaterThan(1_000);
  expect((await runHere(doctor, [], settings)).stdout).toContain(
    "The newest backup was made less than an hour ago",
  );
});

test("a backup of a stopped site is identical to one of the running site, and says when it replaces a file", async () => {
  const site = await startSite();
  const file = path.join(await temporaryFolder(), "site.sql");
  const settings = { DATA_DIR: site.dataDir };
  const replaced = "The file that was there is replaced.";
  expect((await runHere(backup, [file], settings)).stdout).not.toContain(replaced);
  const running = await readFile(file, "utf8");
  await site.stop();
  expect((await runServerProgram("server/cli/backup.ts", [file], settings)).stdout).toContain(replaced);
  expect(await readFile(file, "utf8")).toBe(running);
});

test("after a backup with sessions is restored into DATABASE_URL, every row is there, row-level security applies and members stay signed in", async () => {
  const { anonKey, jwtSecret } = await readKeys(sharedSite.dataDir);
  const { data: signedIn } = await clientOf(sharedSite, anonKey).auth.signInWithPassword(MEMBER_LOGIN);
  const admin = await adminOf(sharedSite.dataDir);
  await admin.query(`with claims as (
      insert into auth.mfa_amr_claims select id, now(), now(), 'passkey', gen_random_uuid() from auth.sessions)
    insert into auth.webauthn_credentials (user_id, credential_id, public_key, friendly_name)
    select id, '\\x00ff5c', '\\xa5010203', 'My phone' from auth.users`);
  const rows = await readAllRows(await adminLogin(sharedSite.dataDir));
  const file = await backUp(sharedSettings, "--with-sessions");
  const DATABASE_URL = await external.createDatabase();
  expect(await restore(file, { DATABASE_URL })).toMatchObject({ code: 0, stderr: "" });
  expect([...(await readAllRows({ connectionString: DATABASE_URL }))]).toEqual([...rows]);

  const copy = await startHere({ DATABASE_URL, AUTH_JWT_SECRET: jwtSecret });
  expect(copy.stderr()).not.toContain("migrations.applied");
  const member = clientOf(copy, anonKey);
  const refreshed = await member.auth.refreshSession(signedIn.session ?? undefined);
  expect(refreshed.error).toBeNull();
  expect(
    (await member.from("profiles").update({ bio: "moved" }).eq("id", sharedSite.member).select()).data,
  ).toMatchObject([{ bio: "moved" }]);
  const other = { author_id: "00000000-0000-0000-0000-000000000001", title: "x", content: "x" };
  expect((await member.from("articles").insert(other)).error?.code).toBe("42501");
  const { rows: unprotected } = await external.query(
    `select relname from pg_class join pg_namespace n on n.oid = relnamespace
     where nspname = 'public' and relkind = 'r' and not (relrowsecurity and relforcerowsecurity)`,
    new URL(DATABASE_URL).pathname.slice(1),
  );
  expect(unprotected).toEqual([]);
  // The restore suspends the checks, because rows of an older backup can violate them.
  const unchecked = await external.query(
    "select conname from pg_constraint where connamespace in ('public'::regnamespace, 'auth'::regnamespace) and not convalidated",
    new URL(DATABASE_URL).pathname.slice(1),
  );
  expect(unchecked.rows).toEqual([]);
});

test("a database owner who isn't a superuser can back up and restore, but a login with only the role authenticator cannot back up", async () => {
  await external.query("create role site_owner login createrole password 'x'");
  // Other tests may have created Techfolio's roles as the superuser. Since PostgreSQL 16, CREATEROLE alone does not
  // allow site_owner to grant them, so give it the admin option, too.
  const { rows: existing } = await external.query(
    `select rolname from pg_roles
     where rolname in ('anon', 'authenticated', 'service_role', 'supabase_auth_admin', 'authenticator')`,
  );
  for (const { rolname } of existing)
    await external.query(`grant ${rolname} to site_owner with admin option`);
  for (const name of ["first_site", "target_site"])
    await external.query(`create database ${name} owner site_owner`);
  const DATABASE_URL = external.url("site_owner", "x", "first_site");
  await startHere({ DATABASE_URL, AUTH_JWT_SECRET: "x".repeat(32), SEED: "demo" });
  const file = await backUp({ DATABASE_URL });
  const target = external.url("site_owner", "x", "target_site");
  expect(await restore(file, { DATABASE_URL: target })).toMatchObject({ code: 0, stderr: "" });
  const copy = await readAllRows({ connectionString: target });
  expect(copy.get("public.articles")?.length).toBeGreaterThan(0);
  expect([...copy]).toEqual(withoutSessions(await readAllRows({ connectionString: DATABASE_URL })));

  await external.query("create role serving_login login password 'x' in role authenticator");
  const refused = await runHere(backup, [file], {
    DATABASE_URL: external.url("serving_login", "x", "first_site"),
  });
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(/^The login serving_login in DATABASE_URL [^\n]+ the database's owner\.\n$/);
});

async function createProjectLogin(url: string): Promise<string> {
  const database = new URL(url).pathname.slice(1);
  await external.query(
    `create role project login bypassrls password 'x';
     grant set on parameter session_replication_role to project;
     grant usage on schema auth, public, private to project;
     grant execute on all functions in schema private to project;
     grant all on all tables in schema auth, public, private to project`,
    database,
  );
  return external.url("project", "x", database);
}

test("an earlier release's backup can be restored, even if rows violate today's checks or two profiles share a username", async () => {
  const file = path.join(import.meta.dirname, "../support/backup-before-baseline.sql");
  const DATABASE_URL = await external.createDatabase();
  expect(await restore(file, { DATABASE_URL })).toMatchObject({ code: 0, stderr: "" });
  const AUTH_JWT_SECRET = "x".repeat(32);
  const site = await startHere({ DATABASE_URL, AUTH_JWT_SECRET });
  const { anonKey } = await signKeys(AUTH_JWT_SECRET);
  const member = clientOf(site, anonKey);
  const { data } = await member.auth.signInWithPassword(MEMBER_LOGIN);
  const articles = member.from("articles");
  expect((await articles.select("title,content")).data).toEqual([{ title: " ", content: "Blank title" }]);
  // The restored article keeps its blank title, but today's checks reject a new article with one.
  const blank = { author_id: data.user?.id, title: " ", content: "x" };
  expect((await articles.insert(blank)).error?.code).toBe("23514");
  // Two profiles share the username "keeper". The one that has had it longer keeps the URL.
  expect((await fetch(`${site.url}/profile/keeper`)).status).toBe(200);
  const second = await fetch(`${site.url}/profile/00000000-0000-4000-8000-000000000002`, {
    redirect: "manual",
  });
  expect(second.status).toBe(200);
});

test("a site refuses to start on a database that an earlier release created, but a backup of that database can be restored", async () => {
  const site = await startSite();
  const admin = new pg.Client(await adminLogin(site.dataDir));
  await admin.connect();
  await admin.query(
    `alter table public.profiles drop column username_since;
     drop table public.versions cascade;
     drop schema storage cascade;
     insert into supabase_migrations.schema_migrations (version) values ('20260101000000')`,
  );
  await admin.end();
  await site.stop();
  const settings = { DATA_DIR: site.dataDir };
  const refusal = chooseBackend(readSettings(settings)).start({
    events: new EventEmitter(),
    log: createLog(() => undefined),
    print: () => undefined,
  });
  await expect(refusal).rejects.toBeInstanceOf(OperatorError);
  await expect(refusal).rejects.toThrow(
    "The database was created by a version from before 0.1.0: save its content with npm run backup",
  );
  const file = await backUp(settings);
  const DATABASE_URL = await external.createDatabase();
  expect(await restore(file, { DATABASE_URL })).toMatchObject({ code: 0, stderr: "" });
  const copy = await readAllRows({ connectionString: DATABASE_URL });
  expect(copy.get("public.articles")).toHaveLength(1);
});

test("psql loads a backup without pictures into a new site's database, and fails if the database has accounts", async ({
  skip,
}) => {
  skip(!hasPsql, "psql is not installed");
  const file = await backUp(sharedSettings, "--without-pictures");
  const project = { DATABASE_URL: await external.createDatabase(), AUTH_JWT_SECRET: "x".repeat(32) };
  const copy = await startHere(project);
  const args = ["--no-psqlrc", "--quiet", "--file", file, await createProjectLogin(project.DATABASE_URL)];
  const database = new URL(project.DATABASE_URL).pathname.slice(1);
  // No row of the backup conflicts with this account, so only the backup's own check can refuse to load it.
  await external.query("insert into auth.users (id) values (gen_random_uuid())", database);
  const refused = await runCommand("psql", args);
  expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining("already has accounts") });
  await external.query("delete from auth.users", database);
  expect(await runCommand("psql", args)).toMatchObject({ code: 0, stderr: "" });
  const moved = await readAllRows({ connectionString: project.DATABASE_URL });
  const rows = await readAllRows(await adminLogin(sharedSite.dataDir));
  for (const table of ["auth.users", "auth.identities", "public.profiles", "public.articles"]) {
    expect(moved.get(table)).toEqual(rows.get(table));
  }
  const { anonKey } = await signKeys(project.AUTH_JWT_SECRET);
  expect((await clientOf(copy, anonKey).auth.signInWithPassword(MEMBER_LOGIN)).error).toBeNull();
  // The searches use copies of the rows that triggers would have made.
  const derived = ["search_documents", "storage_use"];
  for (const table of derived) {
    const query = `select count(*)::int from private.${table}`;
    const { rows: loaded } = await external.query(query, database);
    expect(loaded[0]?.["count"], table).toBeGreaterThan(0);
  }
  // Loading again fails without duplicating rows.
  expect((await runCommand("psql", args)).code).toBe(3);
  const again = await readAllRows({ connectionString: project.DATABASE_URL });
  expect(again.get("auth.identities")).toEqual(rows.get("auth.identities"));
});

test("every table in the schemas auth, public, private and storage is either backed up or explicitly excluded", async () => {
  const admin = await adminOf(sharedSite.dataDir);
  const { rows } = await admin.query<{ name: string }>(
    "select schemaname || '.' || tablename as name from pg_tables where schemaname in ('auth', 'public', 'private', 'storage')",
  );
  const notDumped = [
    "auth.flow_state",
    "auth.rate_limits",
    "auth.webauthn_challenges",
    // These contain what migrations insert or what is computed from other tables.
    "private.content_kinds",
    // Reports are removed after 90 days, and name readers.
    "private.report_emails",
    "private.report_senders",
    "private.reports",
    "private.search_backlog",
    "private.search_documents",
    "private.search_sample",
    "private.search_words",
    "private.storage_use",
    "storage.buckets",
    "storage.folder_sizes",
  ];
  expect(rows.map(({ name }) => name).sort()).toEqual([...DUMPED_TABLES, ...notDumped].sort());
});
