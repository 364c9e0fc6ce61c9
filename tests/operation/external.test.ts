import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import path from "node:path";
import pg from "pg";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { signKeys } from "../../server/auth/keys.ts";
import { startExternalServer } from "../support/external-server.ts";
import { freePort } from "../support/free-port.ts";
import { ROOT } from "../support/node.ts";
import { clientOf, startHere, startProcess } from "../support/process.ts";

const server = await startExternalServer();
afterAll(() => server.stop());

const newSecret = () => randomBytes(32).toString("hex");

// Must run first, so that the login site_owner creates Techfolio's roles itself. Since PostgreSQL 16, CREATEROLE alone
// does not allow a login to grant roles that another login created.
test("a site starts with the login of a database owner who isn't a superuser, and a new account gets a profile", async () => {
  await server.query("create role site_owner login createrole password 'x'");
  await server.query("create database first_site owner site_owner");
  const AUTH_JWT_SECRET = newSecret();
  const settings = {
    DATABASE_URL: server.url("site_owner", "x", "first_site"),
    AUTH_JWT_SECRET,
    SEED: "demo",
  };
  const site = await startProcess(settings);
  await site.running();
  const { serviceKey } = await signKeys(AUTH_JWT_SECRET);
  const service = clientOf(site, serviceKey);
  const created = await service.auth.admin.createUser({ email: "new@example.com", email_confirm: true });
  expect(created.error).toBeNull();
  // The trigger that creates profiles runs as the tables' owner. Row-level security is forced, so it applies to the
  // owner too, but it must not stop this trigger.
  const { data } = await service
    .from("profiles")
    .select("id")
    .eq("id", created.data.user?.id ?? "");
  expect(data).toHaveLength(1);
});

test("a site starts on a database whose extension pg_trgm is in the schema public, and searches use it", async () => {
  const settings = { DATABASE_URL: await server.createDatabase(), AUTH_JWT_SECRET: newSecret() };
  const database = new URL(settings.DATABASE_URL).pathname.slice(1);
  await server.query("create extension pg_trgm schema public", database);
  const site = await startHere({ ...settings, SEED: "demo" });
  const { anonKey } = await signKeys(settings.AUTH_JWT_SECRET);
  const search = { content_table: "articles", search_text: "postgres" };
  expect((await clientOf(site, anonKey).rpc("search_content", search)).data).not.toEqual([]);
  const { rows } = await server.query(
    `select opc.opcnamespace::regnamespace::text as schema from pg_index i join pg_opclass opc on opc.oid = i.indclass[0]
     where i.indexrelid = 'private.articles_search_idx'::regclass`,
    database,
  );
  expect(rows).toEqual([{ schema: "public" }]);
});

test("a site on DATABASE_URL loads demo content only with SEED=demo, and only once", async () => {
  const settings = { DATABASE_URL: await server.createDatabase(), AUTH_JWT_SECRET: newSecret() };
  const { anonKey } = await signKeys(settings.AUTH_JWT_SECRET);
  const plain = await startHere(settings);
  expect((await clientOf(plain, anonKey).from("profiles").select("id")).data).toEqual([]);

  const first = await startHere({ ...settings, SEED: "demo" });
  expect(first.stdout()).toContain("Sign in as");
  const second = await startHere({ ...settings, SEED: "demo" });
  expect(second.stdout()).not.toContain("Sign in as");
});

test.each([
  ["before the host", (url: URL) => url.href],
  [
    "in its query parameters",
    ({ username, password, host, pathname }: URL) =>
      `postgres://${host}${pathname}?user=${username}&password=${password}`,
  ],
])(
  "a site whose DATABASE_URL has the owner's password %s serves requests with a login that isn't a superuser and owns no tables",
  async (_place, write) => {
    const url = new URL(await server.createDatabase());
    const site = await startHere({ DATABASE_URL: write(url), AUTH_JWT_SECRET: newSecret() });
    await fetch(`${site.url}/readyz`);
    const database = url.pathname.slice(1);
    const { rows } = await server.query(
      `select rolsuper, rolbypassrls, rolcreaterole,
       exists (select from pg_class where relowner = usesysid) as owns
     from pg_stat_activity join pg_roles on oid = usesysid
     where datname = '${database}' and application_name = 'techfolio'`,
      database,
    );
    expect(rows).toContainEqual({ rolsuper: false, rolbypassrls: false, rolcreaterole: false, owns: false });
    expect(rows.filter((row) => row.rolsuper || row.owns)).toEqual([]);
  },
);

test("two sites with different keys run on one database server", async () => {
  const secrets = [newSecret(), newSecret()];
  const sites = await Promise.all(
    secrets.map(async (AUTH_JWT_SECRET) =>
      startHere({ DATABASE_URL: await server.createDatabase(), AUTH_JWT_SECRET, SEED: "demo" }),
    ),
  );
  for (const [index, site] of sites.entries()) {
    const { anonKey } = await signKeys(secrets[index] ?? "");
    expect((await clientOf(site, anonKey).from("articles").select("id").limit(1)).data).toHaveLength(1);
  }
});

test("a site logs a warning if, with its database's locale, searches ignore case only in English letters", async () => {
  await server.query("create database plain locale 'C' template template0");
  const url = (await server.createDatabase()).replace(/[^/]+$/, "plain");
  const site = await startHere({ DATABASE_URL: url, AUTH_JWT_SECRET: newSecret() });
  expect(site.stderr()).toContain("Searches ignore case only in English letters");
});

test("a site saves, reads and searches as usual if its database has other defaults", async () => {
  const DATABASE_URL = await server.createDatabase();
  const name = new URL(DATABASE_URL).pathname.slice(1);
  const defaults = {
    datestyle: "'German, YMD'",
    intervalstyle: "'sql_standard'",
    timezone: "'Asia/Kolkata'",
    bytea_output: "'escape'",
    row_security: "off",
    array_nulls: "off",
    idle_session_timeout: "'300ms'",
    default_transaction_read_only: "on",
    default_transaction_isolation: "'serializable'",
    extra_float_digits: "-10",
  };
  for (const [setting, value] of Object.entries(defaults)) {
    await server.query(`alter database ${name} set ${setting} = ${value}`);
  }
  const AUTH_JWT_SECRET = newSecret();
  const site = await startHere({ DATABASE_URL, AUTH_JWT_SECRET, SEED: "demo" });
  const { serviceKey, anonKey } = await signKeys(AUTH_JWT_SECRET);
  const service = clientOf(site, serviceKey);
  const email = "new@example.com";
  const created = await service.auth.admin.createUser({
    email,
    password: "a good password",
    email_confirm: true,
  });
  expect(created.error).toBeNull();
  const member = clientOf(site, anonKey);
  expect((await member.auth.signInWithPassword({ email, password: "a good password" })).error).toBeNull();
  const row = { author_id: created.data.user?.id ?? "", title: "Zebrafish", content: "x" };
  const saved = await member.from("articles").insert(row).select("created_at").single();
  expect(saved.data?.created_at).toMatch(/^\d{4}-\d\d-\d\dT.*\+00:00$/);
  expect(await (await fetch(`${site.url}/articles?q=zebrafish`)).text()).toContain("Zebrafish");
  // Longer than `idle_session_timeout`, which must not end the connections in the pool.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect((await fetch(`${site.url}/articles?q=other`)).status).toBe(200);
  expect(site.stderr()).not.toMatch(/"level":"(warn|error)"/);
});

test("a read and a write after the server has closed all connections succeed", async () => {
  const DATABASE_URL = await server.createDatabase();
  const name = new URL(DATABASE_URL).pathname.slice(1);
  const AUTH_JWT_SECRET = newSecret();
  const site = await startHere({ DATABASE_URL, AUTH_JWT_SECRET, SEED: "demo" });
  const { serviceKey } = await signKeys(AUTH_JWT_SECRET);
  const service = clientOf(site, serviceKey);
  const { data } = await service.from("profiles").select("id").limit(1).single();
  const statuses: number[] = [];
  for (let round = 0; round < 15; round++) {
    const row = { profile_id: data?.id, title: `Round ${round}`, url: "/", category: "Test" };
    const ended = server.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and state = 'idle'`,
    );
    // The first request's connection ends while it runs, and the second one's just before it starts.
    const responses = await Promise.all([
      service.from("articles").select("id").limit(1),
      ended.then(() => service.from("useful_links").insert(row)),
      ended.then(() => service.from("articles").select("id").limit(1)),
    ]);
    statuses.push(...responses.map(({ status }) => status));
  }
  expect(statuses.filter((status) => status >= 400)).toEqual([]);
});

test("a site waits for a database server that starts later", async () => {
  const port = await freePort();
  const target = new URL(await server.createDatabase());
  const DATABASE_URL = target.href.replace(`:${target.port}/`, `:${port}/`);
  const site = await startProcess({ DATABASE_URL, AUTH_JWT_SECRET: newSecret() });
  await expect
    .poll(() => site.stdout(), { timeout: 20_000 })
    .toContain("Waiting for the server in DATABASE_URL");
  const forwarder = createServer((socket) => {
    const upstream = connect(Number(target.port), "127.0.0.1");
    socket.on("error", () => undefined);
    upstream.on("error", () => undefined);
    socket.pipe(upstream).pipe(socket);
  }).listen(port, "127.0.0.1");
  onTestFinished(() => void forwarder.close());
  await site.running();
  expect((await fetch(`${site.url}/readyz`)).status).toBe(200);
  await site.end("SIGTERM");
});

test("a new AUTH_JWT_SECRET takes effect at the next start", async () => {
  const DATABASE_URL = await server.createDatabase();
  for (const AUTH_JWT_SECRET of [newSecret(), newSecret()]) {
    const site = await startProcess({ DATABASE_URL, AUTH_JWT_SECRET });
    await site.running();
    const { anonKey } = await signKeys(AUTH_JWT_SECRET);
    expect((await clientOf(site, anonKey).from("articles").select("id")).data).toEqual([]);
    await site.end("SIGTERM");
  }
});

test("a second process with other keys on the same database exits with a one-line error, and the first keeps serving", async () => {
  const DATABASE_URL = await server.createDatabase();
  const first = await startProcess({ DATABASE_URL, AUTH_JWT_SECRET: newSecret() });
  await first.running();
  const second = await startProcess({ DATABASE_URL, AUTH_JWT_SECRET: newSecret() });
  expect(await second.ended).toEqual({ code: 1, signal: null });
  expect(second.stderr()).toBe(
    "Another process is serving this database with other keys: set the same AUTH_JWT_SECRET, or stop it first.\n",
  );
  // Close the first process's connections. If the second process had changed the login's password, new ones would fail.
  const name = new URL(DATABASE_URL).pathname.slice(1);
  await server.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
  await expect.poll(async () => (await fetch(`${first.url}/readyz`)).status).toBe(200);
});

test("a process with other keys waits until a killed process's connections have closed, and then starts", async () => {
  const DATABASE_URL = await server.createDatabase();
  const name = new URL(DATABASE_URL).pathname.slice(1);
  const killed = await startProcess({ DATABASE_URL, AUTH_JWT_SECRET: newSecret() });
  await killed.running();
  const next = await startProcess({ DATABASE_URL, AUTH_JWT_SECRET: newSecret() });
  await expect
    .poll(async () => {
      const sql = `select from pg_stat_activity where datname = '${name}' and usename = 'operator'`;
      return (await server.query(sql)).rowCount;
    })
    .toBe(1);
  await killed.end("SIGKILL");
  await next.running();
  expect((await fetch(`${next.url}/readyz`)).status).toBe(200);
});

test("a login with only the role authenticator can serve a database that the owner has migrated", async () => {
  const owner = await server.createDatabase();
  const database = new URL(owner).pathname.slice(1);
  const AUTH_JWT_SECRET = newSecret();
  const first = await startHere({ DATABASE_URL: owner, AUTH_JWT_SECRET, SEED: "demo" });
  await first.stop();
  await server.query("create role serving_login login password 'x' in role authenticator");
  const site = await startHere({
    DATABASE_URL: server.url("serving_login", "x", database),
    AUTH_JWT_SECRET,
  });
  const { anonKey } = await signKeys(AUTH_JWT_SECRET);
  expect((await clientOf(site, anonKey).from("articles").select("id").limit(1)).data).toHaveLength(1);
});

test.each([
  [
    "a wrong password",
    async () => server.url("operator", "wrong", "postgres"),
    "password authentication failed",
  ],
  ["a missing database", async () => (await server.createDatabase()).replace(/\d+$/, "x"), "does not exist"],
  ["an unreachable server", async () => `postgres://me@127.0.0.1:${await freePort()}/x`, "ECONNREFUSED"],
  [
    "a login without privileges",
    async () => {
      const url = await server.createDatabase();
      await server.query("create role stranger login password 'x'");
      return server.url("stranger", "x", new URL(url).pathname.slice(1));
    },
    "The login stranger in DATABASE_URL can neither prepare nor serve",
  ],
  [
    "an unsupported encoding",
    async () => {
      const url = await server.createDatabase();
      await server.query("create database latin encoding 'latin1' locale 'C' template template0");
      return url.replace(/[^/]+$/, "latin");
    },
    "encoding LATIN1",
  ],
])(
  "a site exits because of %s, and prints one line that names DATABASE_URL but not its password",
  async (_case, address, message) => {
    const DATABASE_URL = await address();
    const site = await startProcess({ DATABASE_URL, AUTH_JWT_SECRET: newSecret() });
    expect(await site.ended).toEqual({ code: 1, signal: null });
    expect(site.stderr()).toMatch(/^[^\n]*DATABASE_URL[^\n]*\.\n$/);
    expect(site.stderr()).toContain(message);
    expect(site.stderr()).not.toContain(new URL(DATABASE_URL).password || "wrong password");
  },
);

test("texts are folded in the same way in a database with a Turkish locale", async ({ skip }) => {
  const create =
    "create database folding template template0 locale_provider icu icu_locale 'tr-TR' encoding 'UTF8'";
  const isCreated = await server.query(create).then(
    () => true,
    () => false,
  );
  skip(!isCreated, "this PostgreSQL has no locales of ICU");
  const client = new pg.Client((await server.createDatabase()).replace(/[^/]+$/, "folding"));
  await client.connect();
  onTestFinished(() => client.end());
  const schema = await readFile(path.join(ROOT, "supabase/migrations/20261126180000_schema.sql"), "utf8");
  await client.query("create schema private");
  for (const name of ["fold_case", "fold_accents"]) {
    const [definition = ""] =
      new RegExp(`^create function private\\.${name}[^]*?^\\$\\$;`, "m").exec(schema) ?? [];
    await client.query(definition);
  }
  const { rows } = await client.query(
    `select lower('INDEX') as by_default, private.fold_case('INDEX') as ascii, private.fold_case('INDEX Ω') as case,
       private.fold_accents('INDEX É') as accents`,
  );
  expect(rows).toEqual([{ by_default: "ındex", ascii: "index", case: "index ω", accents: "index e" }]);
});
