import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { signKeys } from "../../server/auth/keys.ts";
import { OperatorError } from "../../server/config/operator-error.ts";
import { readSettings } from "../../server/config/settings.ts";
import { createLog } from "../../server/http/log.ts";
import { startSite } from "../../server/site.ts";
import { startExternalServer } from "../support/external-server.ts";
import { freePort } from "../support/free-port.ts";
import { hurryClock } from "../support/hurry-clock.ts";
import { ROOT } from "../support/node.ts";
import { clientOf, startHere, startProcess, startShared } from "../support/process.ts";

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
  const site = await startHere(settings);
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
     where i.indexrelid = 'private.search_documents_listed_idx'::regclass`,
    database,
  );
  expect(rows).toEqual([{ schema: "public" }]);
});

describe("two sites with different keys and demo content on one database server", () => {
  const newSite = async (write: (url: URL) => string) => {
    const url = new URL(await server.createMigratedDatabase());
    const AUTH_JWT_SECRET = newSecret();
    const settings = { DATABASE_URL: write(url), AUTH_JWT_SECRET, SEED: "demo" };
    const keys = await signKeys(AUTH_JWT_SECRET);
    return { ...(await startShared(settings)), settings, keys, database: url.pathname.slice(1) };
  };
  const inQuery = ({ username, password, host, pathname }: URL) =>
    `postgres://${host}${pathname}?user=${username}&password=${password}`;
  let sites: Record<"before the host" | "in its query parameters", Awaited<ReturnType<typeof newSite>>>;
  beforeAll(async () => {
    sites = {
      "before the host": await newSite((url) => url.href),
      "in its query parameters": await newSite(inQuery),
    };
  });
  afterAll(() => Promise.all(Object.values(sites).map((site) => site.stop())));

  test("two sites with different keys run on one database server", async () => {
    for (const site of Object.values(sites)) {
      const { data } = await clientOf(site, site.keys.anonKey).from("articles").select("id").limit(1);
      expect(data).toHaveLength(1);
    }
  });

  test("a site on DATABASE_URL loads demo content only once", async () => {
    const first = sites["before the host"];
    expect(first.stdout()).toContain("Sign in as");
    const second = await startHere(first.settings);
    expect(second.stdout()).not.toContain("Sign in as");
  });

  test.each(["before the host", "in its query parameters"] as const)(
    "a site whose DATABASE_URL has the owner's password %s serves requests with a login that isn't a superuser and owns no tables",
    async (place) => {
      const { url, database } = sites[place];
      await fetch(`${url}/readyz`);
      const { rows } = await server.query(
        `select rolsuper, rolbypassrls, rolcreaterole,
         exists (select from pg_class where relowner = usesysid) as owns
       from pg_stat_activity join pg_roles on oid = usesysid
       where datname = '${database}' and application_name = 'techfolio'`,
        database,
      );
      expect(rows).toContainEqual({
        rolsuper: false,
        rolbypassrls: false,
        rolcreaterole: false,
        owns: false,
      });
      expect(rows.filter((row) => row.rolsuper || row.owns)).toEqual([]);
    },
  );

  test("a read and a write after the server has closed all connections succeed", async () => {
    const site = sites["before the host"];
    const service = clientOf(site, site.keys.serviceKey);
    const { data } = await service.from("profiles").select("id").limit(1).single();
    const statuses: number[] = [];
    for (let round = 0; round < 8; round++) {
      const row = { profile_id: data?.id, title: `Round ${round}`, url: "/", category: "Test" };
      const ended = server.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${site.database}' and state = 'idle'`,
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
  const findIdle = `select from pg_stat_activity where datname = '${name}' and application_name = 'techfolio'
    and now() - state_change > interval '400ms'`;
  await expect.poll(async () => (await server.query(findIdle)).rowCount).toBeGreaterThan(0);
  expect((await fetch(`${site.url}/articles?q=other`)).status).toBe(200);
  expect(site.stderr()).not.toMatch(/"level":"(warn|error)"/);
});

test("a site waits for a database server that starts later", async () => {
  const port = await freePort();
  const target = new URL(await server.createMigratedDatabase());
  const DATABASE_URL = target.href.replace(`:${target.port}/`, `:${port}/`);
  const waiting = Promise.withResolvers<string>();
  const settings = readSettings({
    PORT: String(await freePort()),
    DATABASE_URL,
    AUTH_JWT_SECRET: newSecret(),
  });
  const starting = startSite(
    settings,
    createLog(() => undefined),
    waiting.resolve,
  );
  expect(await waiting.promise).toContain("Waiting for the server in DATABASE_URL");
  const forwarder = createServer((socket) => {
    const upstream = connect(Number(target.port), "127.0.0.1");
    socket.on("error", () => undefined);
    upstream.on("error", () => undefined);
    socket.pipe(upstream).pipe(socket);
  }).listen(port, "127.0.0.1");
  onTestFinished(() => void forwarder.close());
  const site = await starting;
  expect((await fetch(`http://127.0.0.1:${settings.port}/readyz`)).status).toBe(200);
  await site.stop("The test has ended");
});

test("a site without SEED loads no demo content, and a new AUTH_JWT_SECRET takes effect at the next start", async () => {
  const DATABASE_URL = await server.createMigratedDatabase();
  for (const AUTH_JWT_SECRET of [newSecret(), newSecret()]) {
    const site = await startHere({ DATABASE_URL, AUTH_JWT_SECRET });
    const { anonKey } = await signKeys(AUTH_JWT_SECRET);
    expect((await clientOf(site, anonKey).from("articles").select("id")).data).toEqual([]);
    await site.stop();
  }
});

test("a second site with other keys on the same database refuses to start, and the first keeps serving", async () => {
  const DATABASE_URL = await server.createMigratedDatabase();
  const first = await startHere({ DATABASE_URL, AUTH_JWT_SECRET: newSecret() });
  hurryClock();
  await expect(startHere({ DATABASE_URL, AUTH_JWT_SECRET: newSecret() })).rejects.toThrow(
    new OperatorError(
      "Another process is serving this database with other keys: set the same AUTH_JWT_SECRET, or stop it first.",
    ),
  );
  // Close the first site's connections. If the second site had changed the login's password, new ones would fail.
  const name = new URL(DATABASE_URL).pathname.slice(1);
  await server.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
  await expect.poll(async () => (await fetch(`${first.url}/readyz`)).status).toBe(200);
});

test("a site with other keys waits until a killed process's connections have closed, and then starts", async () => {
  const DATABASE_URL = await server.createMigratedDatabase();
  const name = new URL(DATABASE_URL).pathname.slice(1);
  const killed = await startProcess({ DATABASE_URL, AUTH_JWT_SECRET: newSecret() });
  await killed.running();
  const starting = startHere({ DATABASE_URL, AUTH_JWT_SECRET: newSecret() });
  await expect
    .poll(async () => {
      const sql = `select from pg_stat_activity where datname = '${name}' and usename = 'operator'`;
      return (await server.query(sql)).rowCount;
    })
    .toBe(1);
  await killed.end("SIGKILL");
  const next = await starting;
  expect((await fetch(`${next.url}/readyz`)).status).toBe(200);
});

test("a login with only the role authenticator can serve a database that the owner has migrated", async () => {
  const database = new URL(await server.createMigratedDatabase()).pathname.slice(1);
  const AUTH_JWT_SECRET = newSecret();
  await server.query("create role serving_login login password 'x' in role authenticator");
  await server.query("insert into auth.users (id) values (gen_random_uuid())", database);
  const site = await startHere({
    DATABASE_URL: server.url("serving_login", "x", database),
    AUTH_JWT_SECRET,
  });
  const { anonKey } = await signKeys(AUTH_JWT_SECRET);
  expect((await clientOf(site, anonKey).from("articles").select("id").limit(1)).data).toEqual([]);
});

test("a site exits because of a wrong password, and prints one line that names DATABASE_URL but not its password", async () => {
  const DATABASE_URL = server.url("operator", "wrong", "postgres");
  const site = await startProcess({ DATABASE_URL, AUTH_JWT_SECRET: newSecret() });
  expect(await site.ended).toEqual({ code: 1, signal: null });
  expect(site.stderr()).toMatch(/^[^\n]*DATABASE_URL[^\n]*\.\n$/);
  expect(site.stderr()).toContain("password authentication failed");
  expect(site.stderr()).not.toContain("wrong");
});

test.each([
  ["a missing database", async () => (await server.createDatabase()).replace(/\d+$/, "x"), "does not exist"],
  [
    "an unreachable server",
    async () => `postgres://me:hunter2@127.0.0.1:${await freePort()}/x`,
    "ECONNREFUSED",
  ],
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
  "a site refuses to start because of %s, in one line that names DATABASE_URL but not its password",
  async (_case, address, message) => {
    const DATABASE_URL = await address();
    hurryClock();
    const error = await startHere({ DATABASE_URL, AUTH_JWT_SECRET: newSecret() }).catch((reason) => reason);
    expect(error).toBeInstanceOf(OperatorError);
    expect(error.message).toMatch(/^[^\n]*DATABASE_URL[^\n]*\.$/);
    expect(error.message).toContain(message);
    expect(error.message).not.toContain(new URL(DATABASE_URL).password);
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
  const schema = await readFile(path.join(ROOT, "supabase/schemas/01_texts.sql"), "utf8");
  await client.query("create schema private");
  for (const name of ["fold_marks", "fold_case", "fold_accents"]) {
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
