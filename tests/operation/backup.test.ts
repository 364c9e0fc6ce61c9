import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import type { SupabaseClient } from "@supabase/supabase-js";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { type Counts, dump } from "../../server/cli/dump/dump-database.ts";
import { DUMPED_TABLES } from "../../server/cli/dump/dumped-tables.ts";
import { signKeys } from "../../server/config/keys.ts";
import { type Result, runCommand, runServerProgram } from "../support/command.ts";
import { adminLogin, readKeys } from "../support/data-dir.ts";
import { makeMember, startTestDatabase } from "../support/database.ts";
import { startExternalServer } from "../support/external-server.ts";
import { clientOf, startProcess, temporaryCluster, temporaryFolder } from "../support/process.ts";
import { readAllRows } from "../support/rows.ts";
import type { SiteProcess } from "../support/site-process.ts";

// Each test starts several databases and programs, one after the other.
vi.setConfig({ testTimeout: 60_000 });

const PATIENCE = { timeout: 30_000 };

const external = await startExternalServer();
const hasPsql = await runCommand("psql", ["--version"]).then(
  ({ code }) => code === 0,
  () => false,
);
afterAll(() => external.stop());

const password = "a member's long password";
const email = "keeper@example.com";
// What COPY, SQL and lines each have to escape.
const awkward = "tab\t back\\slash \\. \\N \r\n'quote' \"double\" $$ \u2028 𝄞 :name {a,b}";

interface Site extends SiteProcess {
  dataDir: string;
  service: SupabaseClient;
}

/** Starts a site on a new embedded database with one member who can sign in, and one article of awkward text. */
async function startSite(): Promise<Site & { member: string }> {
  const site = await startOn(await temporaryCluster());
  const made = await site.service.auth.admin.createUser({ email, password, email_confirm: true });
  const member = made.data.user?.id ?? "";
  const article = {
    author_id: member,
    title: awkward,
    content: awkward,
    created_at: "2025-01-02T03:04:05.6Z",
  };
  const { error } = await site.service.from("articles").insert(article);
  expect([made.error, error]).toEqual([null, null]);
  return { ...site, member };
}

async function startOn(dataDir: string): Promise<Site> {
  const site = await startProcess({ DATA_DIR: dataDir, SEED: "none" });
  await site.running();
  const { serviceKey } = await readKeys(dataDir);
  return { ...site, dataDir, service: clientOf(site, serviceKey) };
}

async function backUp(settings: Record<string, string>, ...options: string[]): Promise<string> {
  const file = path.join(await temporaryFolder(), "site.sql");
  expect(await runServerProgram("server/cli/backup.ts", [file, ...options], settings)).toMatchObject({
    code: 0,
    stderr: "",
  });
  return file;
}

function restore(file: string, settings: Record<string, string>) {
  return runServerProgram("server/cli/restore.ts", [file], settings);
}

const leftOut = new Set([
  "auth.sessions",
  "auth.refresh_tokens",
  "auth.one_time_tokens",
  "auth.flow_state",
  "auth.rate_limits",
]);

function withoutSessions(rows: Map<string, string[]>): [string, string[]][] {
  return [...rows].map(([table, found]) => [table, leftOut.has(table) ? [] : found]);
}

describe("a running site", () => {
  test("is backed up under load as one picture, and restored with every row", async () => {
    const site = await startSite();
    const acknowledged: string[] = [];
    let isWriting = true;
    onTestFinished(() => {
      isWriting = false;
    });
    // Two links at once, in one transaction: a picture of one moment has both or none.
    const write = async (writer: number) => {
      for (let count = 0; isWriting; count++) {
        const title = `${writer}/${count}`;
        const link = { profile_id: site.member, title, url: "/", category: "Load" };
        const { error } = await site.service.from("useful_links").insert([link, link]);
        if (error === null) acknowledged.push(title);
      }
    };
    const writers = Array.from({ length: 8 }, (_, writer) => write(writer));
    await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(50), PATIENCE);
    const before = [...acknowledged];
    const file = await backUp({ DATA_DIR: site.dataDir });
    await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(before.length + 20), PATIENCE);
    isWriting = false;
    await Promise.all(writers);

    const dataDir = path.join(await temporaryFolder(), "data");
    expect(await restore(file, { DATA_DIR: dataDir })).toMatchObject({ code: 0, stderr: "" });
    const restored = await startOn(dataDir);
    const source = await readAllRows(await adminLogin(site.dataDir));
    const copy = await readAllRows(await adminLogin(restored.dataDir));

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

  test("lets the members of its copy sign in, and no session of before go on", async () => {
    const site = await startSite();
    const { anonKey } = await readKeys(site.dataDir);
    const signedIn = await clientOf(site, anonKey).auth.signInWithPassword({ email, password });
    const file = await backUp({ DATA_DIR: site.dataDir });
    const dump = await readFile(file, "utf8");
    expect(dump).not.toContain(signedIn.data.session?.refresh_token);
    expect(dump).not.toContain((await readKeys(site.dataDir)).jwtSecret);

    const dataDir = await temporaryFolder();
    // The keys may be moved there first.
    await copyFile(path.join(site.dataDir, "keys.json"), path.join(dataDir, "keys.json"));
    expect((await restore(file, { DATA_DIR: dataDir })).code).toBe(0);
    const copy = await startOn(dataDir);
    const member = clientOf(copy, anonKey);
    expect((await member.auth.signInWithPassword({ email, password })).error).toBeNull();
    const ended = await fetch(`${copy.url}/rest/v1/articles`, {
      headers: { apikey: anonKey, Authorization: `Bearer ${signedIn.data.session?.access_token}` },
    });
    expect(ended.status).toBe(401);
    const { data } = await member.from("articles").select("title, content, created_at");
    expect(data).toEqual([{ title: awkward, content: awkward, created_at: "2025-01-02T03:04:05.6+00:00" }]);
  });

  test("is backed up while it stands still, too", async () => {
    const site = await startSite();
    const running = await readFile(await backUp({ DATA_DIR: site.dataDir }), "utf8");
    await site.end("SIGTERM");
    const stopped = await readFile(await backUp({ DATA_DIR: site.dataDir }), "utf8");
    expect(stopped).toBe(running);
  });
});

describe("from the embedded database to DATABASE_URL", () => {
  test("every row arrives, the schema protects as before, and sessions go on when asked for", async () => {
    const site = await startSite();
    const { anonKey, jwtSecret } = await readKeys(site.dataDir);
    const { data: signedIn } = await clientOf(site, anonKey).auth.signInWithPassword({ email, password });
    const rows = await readAllRows(await adminLogin(site.dataDir));
    const file = await backUp({ DATA_DIR: site.dataDir }, "--with-sessions");
    const DATABASE_URL = await external.createDatabase();
    expect(await restore(file, { DATABASE_URL })).toMatchObject({ code: 0, stderr: "" });
    expect([...(await readAllRows({ connectionString: DATABASE_URL }))]).toEqual([...rows]);

    const copy = await startProcess({ DATABASE_URL, AUTH_JWT_SECRET: jwtSecret });
    await copy.running();
    expect(copy.stderr()).not.toContain("migrations.applied");
    const member = clientOf(copy, anonKey);
    const refreshed = await member.auth.refreshSession(signedIn.session ?? undefined);
    expect(refreshed.error).toBeNull();
    expect(
      (await member.from("profiles").update({ bio: "moved" }).eq("id", site.member).select()).data,
    ).toMatchObject([{ bio: "moved" }]);
    const other = { author_id: "00000000-0000-0000-0000-000000000001", title: "x", content: "x" };
    expect((await member.from("articles").insert(other)).error?.code).toBe("42501");
    const { rows: open } = await external.query(
      `select relname from pg_class join pg_namespace n on n.oid = relnamespace
       where nspname = 'public' and relkind = 'r' and not (relrowsecurity and relforcerowsecurity)`,
      new URL(DATABASE_URL).pathname.slice(1),
    );
    expect(open).toEqual([]);
  });

  test("an owner who is no superuser backs up and restores", async () => {
    await external.query("create role landlord login createrole password 'x'");
    // The roles are there since the other tests; from PostgreSQL 16 on only who made them may grant them.
    await external.query(
      "grant anon, authenticated, service_role, supabase_auth_admin, authenticator to landlord with admin option",
    );
    for (const name of ["let", "sublet"]) await external.query(`create database ${name} owner landlord`);
    const DATABASE_URL = external.url("landlord", "x", "let");
    const first = await startProcess({ DATABASE_URL, AUTH_JWT_SECRET: "x".repeat(32), SEED: "demo" });
    await first.running();
    const file = await backUp({ DATABASE_URL });
    const target = external.url("landlord", "x", "sublet");
    expect(await restore(file, { DATABASE_URL: target })).toMatchObject({ code: 0, stderr: "" });
    const copy = await readAllRows({ connectionString: target });
    expect(copy.get("public.articles")?.length).toBeGreaterThan(0);
    expect([...copy]).toEqual(withoutSessions(await readAllRows({ connectionString: DATABASE_URL })));

    await external.query("create role tenant login password 'x' in role authenticator");
    const refused = await runServerProgram("server/cli/backup.ts", [file], {
      DATABASE_URL: external.url("tenant", "x", "let"),
    });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/^[^\n]+\n$/);
  });
});

async function asInProject(url: string): Promise<string> {
  const database = new URL(url).pathname.slice(1);
  await external.query(
    `create role project login bypassrls password 'x';
     grant set on parameter session_replication_role to project;
     grant usage on schema auth, public to project;
     grant all on all tables in schema auth, public to project`,
    database,
  );
  return external.url("project", "x", database);
}

test("psql loads a backup where the schema is, and refuses where an account is", async ({ skip }) => {
  skip(!hasPsql, "psql is not installed");
  const site = await startSite();
  const file = await backUp({ DATA_DIR: site.dataDir });
  const project = { DATABASE_URL: await external.createDatabase(), AUTH_JWT_SECRET: "x".repeat(32) };
  const copy = await startProcess(project);
  await copy.running();
  const words = ["--no-psqlrc", "--quiet", "--file", file, await asInProject(project.DATABASE_URL)];
  const database = new URL(project.DATABASE_URL).pathname.slice(1);
  // Somebody else's account: no row of the backup would meet it.
  await external.query("insert into auth.users (id) values (gen_random_uuid())", database);
  const refused = await runCommand("psql", words);
  expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining("has accounts already") });
  await external.query("delete from auth.users", database);
  expect(await runCommand("psql", words)).toMatchObject({ code: 0, stderr: "" });
  const moved = await readAllRows({ connectionString: project.DATABASE_URL });
  const rows = await readAllRows(await adminLogin(site.dataDir));
  for (const table of ["auth.users", "auth.identities", "public.profiles", "public.articles"]) {
    expect(moved.get(table)).toEqual(rows.get(table));
  }
  const { anonKey } = await signKeys(project.AUTH_JWT_SECRET);
  expect((await clientOf(copy, anonKey).auth.signInWithPassword({ email, password })).error).toBeNull();
  // A second time nothing is doubled, and nothing half done.
  expect((await runCommand("psql", words)).code).toBe(3);
  const again = await readAllRows({ connectionString: project.DATABASE_URL });
  expect(again.get("auth.identities")).toEqual(rows.get("auth.identities"));
});

test("every table of the schema is in a backup, or left out on purpose", async () => {
  const database = await startTestDatabase();
  onTestFinished(() => database.stop());
  const { rows } = await database.admin.query<{ name: string }>(
    "select schemaname || '.' || tablename as name from pg_tables where schemaname in ('auth', 'public')",
  );
  const shortLived = ["auth.flow_state", "auth.rate_limits"];
  expect(rows.map(({ name }) => name).sort()).toEqual([...DUMPED_TABLES, ...shortLived].sort());
});

describe("what cannot be restored", () => {
  /** A small dump, made once: of a database with one account. */
  let whole: string;

  beforeAll(async () => {
    const database = await startTestDatabase();
    await makeMember(database.admin, email);
    const client = new pg.Client({ ...database.admin.options });
    await client.connect();
    const pieces: Buffer[] = [];
    for await (const piece of dump(client, false, new Map())) pieces.push(piece);
    whole = Buffer.concat(pieces).toString();
    await client.end();
    await database.stop();
  });

  function expectRefusal({ code, stdout, stderr }: Result, words: string) {
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(words);
    expect(stderr).toMatch(/^[^\n]+\n$/);
  }

  const damages: [string, (dump: string) => string, string][] = [
    ["cut off in the middle of a table", (dump) => dump.slice(0, dump.indexOf(email)), "its end is missing"],
    ["cut off before its last line", (dump) => dump.trimEnd().replace(/\n[^\n]*$/, ""), "its end is missing"],
    [
      "that has a row with a column too many",
      (dump) => dump.replace(`\t${email}\t`, `\t${email}\t\\N\t`),
      "extra data",
    ],
    [
      "of a newer Techfolio",
      (dump) => dump.replace(/migration \d+/, "migration 99990101000000"),
      "made by a newer Techfolio",
    ],
    ["that is something else", () => "-- PostgreSQL database dump\n", "is no backup"],
    ["that is empty", () => "", "is no backup"],
  ];

  test.each(damages)("a file %s", async (_case, damage, words) => {
    const damaged = damage(whole);
    expect(damaged).not.toBe(whole);
    const folder = await temporaryFolder();
    const file = path.join(folder, "site.sql");
    await writeFile(file, damaged);
    const DATABASE_URL = await external.createDatabase();
    expectRefusal(await restore(file, { DATABASE_URL }), words);
    expect(await readAllRows({ connectionString: DATABASE_URL })).toEqual(new Map());
  });

  test("a file that is cut off leaves nothing in DATA_DIR", async () => {
    const folder = await temporaryFolder();
    const file = path.join(folder, "site.sql");
    await writeFile(file, whole.slice(0, whole.indexOf(email)));
    const dataDir = path.join(folder, "data");
    expectRefusal(await restore(file, { DATA_DIR: dataDir }), "its end is missing");
    expect((await readdir(dataDir)).filter((name) => !name.startsWith("server."))).toEqual([]);
  });

  test("no statement of a file is run but the loading of its rows", async () => {
    const file = path.join(await temporaryFolder(), "site.sql");
    await writeFile(file, whole.replace("begin;", "begin;\ncreate table public.thesis (chapter text);"));
    const DATABASE_URL = await external.createDatabase();
    expect((await restore(file, { DATABASE_URL })).code).toBe(0);
    const rows = await readAllRows({ connectionString: DATABASE_URL });
    expect([rows.has("public.thesis"), rows.get("auth.users")?.length]).toEqual([false, 1]);
  });

  test("into a database that holds something", async () => {
    const file = path.join(await temporaryFolder(), "site.sql");
    await writeFile(file, whole);
    const DATABASE_URL = await external.createDatabase();
    const name = new URL(DATABASE_URL).pathname.slice(1);
    await external.query("create table public.thesis (chapter text)", name);
    const refused = await restore(file, { DATABASE_URL });
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toContain("is not empty (it has public.thesis)");
    expect(
      (await external.query("select nspname from pg_namespace where nspname = 'auth'", name)).rows,
    ).toEqual([]);
  });

  test("into the DATA_DIR of a site, running or not", async () => {
    const file = path.join(await temporaryFolder(), "site.sql");
    await writeFile(file, whole);
    const site = await startOn(await temporaryCluster());
    const refused = await restore(file, { DATA_DIR: site.dataDir });
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toContain("already has a database");
    expect((await fetch(`${site.url}/readyz`)).status).toBe(200);
    await site.end("SIGTERM");
    expect((await restore(file, { DATA_DIR: site.dataDir })).stderr).toContain("already has a database");
  });

  test("after a restore that was killed, the next one makes good", async () => {
    const folder = await temporaryFolder();
    const file = path.join(folder, "site.sql");
    await writeFile(file, whole);
    const dataDir = path.join(folder, "data");
    await mkdir(path.join(dataDir, ".restore/postgres"), { recursive: true });
    await writeFile(path.join(dataDir, ".restore/postgres/PG_VERSION"), "18\n");
    expect(await restore(file, { DATA_DIR: dataDir })).toMatchObject({ code: 0, stderr: "" });
    expect(existsSync(path.join(dataDir, ".restore"))).toBe(false);
  });
});

describe("what cannot be written", () => {
  test("a folder that is not there, and a database that is not there, are named", async () => {
    const folder = await temporaryFolder();
    const site = await startOn(await temporaryCluster());
    const missing = path.join(folder, "missing/site.sql");
    const noFolder = await runServerProgram("server/cli/backup.ts", [missing], { DATA_DIR: site.dataDir });
    expect(noFolder).toMatchObject({ code: 1, stdout: "" });
    expect(noFolder.stderr).toContain(`${missing} cannot be written`);
    const noSite = await runServerProgram("server/cli/backup.ts", [path.join(folder, "x")], {
      DATA_DIR: folder,
    });
    expect(noSite.stderr).toContain(`There is no database in DATA_DIR ${folder}`);
    expect(await readdir(folder)).toEqual([]);
  });

  test("of a site is refused without the password of its database, and nothing runs on", async () => {
    const site = await startSite();
    const file = path.join(await temporaryFolder(), "site.sql");
    const secret = path.join(site.dataDir, "postgres.password");
    const known = await readFile(secret, "utf8");
    const refused = async (reason: string) =>
      expect(await runServerProgram("server/cli/backup.ts", [file], { DATA_DIR: site.dataDir })).toEqual({
        code: 1,
        stdout: "",
        stderr: `The database in DATA_DIR ${site.dataDir} cannot be used${reason}.\n`,
      });
    const refusedAsItIs = async () => {
      await writeFile(secret, "another one");
      await refused(': password authentication failed for user "postgres"');
      await rm(secret);
      await refused(" without the password that belongs to it: put postgres.password back");
      expect(existsSync(secret)).toBe(false);
    };
    await refusedAsItIs();
    await site.end("SIGTERM");
    await refusedAsItIs();

    await writeFile(secret, known);
    const again = await runServerProgram("server/cli/backup.ts", [file], { DATA_DIR: site.dataDir });
    expect(again).toMatchObject({ code: 0, stderr: "" });
  });

  test("nobody else may read it, and what stood there before goes only when it is whole", async () => {
    const database = await startTestDatabase();
    onTestFinished(() => database.stop());
    await makeMember(database.admin);
    const { writeWhole } = await import("../../server/cli/dump/whole-file.ts");
    const file = path.join(await temporaryFolder(), "site.sql");
    await writeFile(file, "the backup of yesterday");
    await chmod(file, 0o644);
    const client = new pg.Client({ ...database.admin.options });
    client.on("error", () => undefined);
    await client.connect();
    const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
    const counts: Counts = new Map();
    async function* cutOff() {
      for await (const piece of dump(client, false, counts)) {
        yield piece;
        if (counts.size === 1) await database.admin.query("select pg_terminate_backend($1)", [rows[0]?.pid]);
      }
    }
    await expect(writeWhole(file, cutOff())).rejects.toThrow();
    expect(await readFile(file, "utf8")).toBe("the backup of yesterday");
    expect(await readdir(path.dirname(file))).toEqual(["site.sql"]);

    async function* fillTheDisk(): AsyncGenerator<Buffer> {
      yield Buffer.from("half of it");
      // As Node reports what write(2) answers then.
      throw Object.assign(new Error("ENOSPC: no space left on device, write"), {
        code: "ENOSPC",
        syscall: "write",
      });
    }
    await expect(writeWhole(file, fillTheDisk())).rejects.toThrow(
      `${file} cannot be written: the disk is full.`,
    );
    expect(await readdir(path.dirname(file))).toEqual(["site.sql"]);

    await writeWhole(
      file,
      (async function* () {
        yield Buffer.from("the backup of today");
      })(),
    );
    expect(await readFile(file, "utf8")).toBe("the backup of today");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  test.each([[[]], [["one.sql", "two.sql"]], [["one.sql", "--with-dessert"]]])(
    "words that make no sense (%j) are answered with the usage",
    async (words) => {
      const result = await runServerProgram("server/cli/backup.ts", words, {
        DATA_DIR: await temporaryFolder(),
      });
      expect(result).toMatchObject({ code: 2, stdout: "" });
      expect(result.stderr).toContain("npm run backup -- FILE");
    },
  );

  test("a Supabase project is left to its own tools", async () => {
    const settings = {
      SUPABASE_URL: "http://127.0.0.1:9",
      SUPABASE_PUBLISHABLE_KEY: randomBytes(8).toString("hex"),
    };
    for (const program of ["server/cli/backup.ts", "server/cli/restore.ts"]) {
      const { code, stderr } = await runServerProgram(program, ["site.sql"], settings);
      expect(code).toBe(1);
      expect(stderr).toMatch(/^With SUPABASE_URL [^\n]+\n$/);
    }
  });
});
