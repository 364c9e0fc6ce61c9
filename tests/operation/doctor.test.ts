import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import type { AddressInfo, Server } from "node:net";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { signKeys } from "../../server/auth/keys.ts";
import { inspectDatabase } from "../../server/backends/findings.ts";
import { doctor } from "../../server/cli/programs/doctor.ts";
import { OperatorError } from "../../server/config/operator-error.ts";
import { recordBackup } from "../../server/postgres/last-backup.ts";
import { backUp } from "../support/backups.ts";
import { newClusterDir } from "../support/cluster.ts";
import { runCommand, runServerProgram } from "../support/command.ts";
import { readKeys } from "../support/data-dir.ts";
import { makeMember } from "../support/database.ts";
import { startExternalServer } from "../support/external-server.ts";
import { freePort } from "../support/free-port.ts";
import { startIdentityProvider } from "../support/identity-provider.ts";
import { startMailServer } from "../support/mail-server.ts";
import {
  adminOf,
  type SiteHere,
  startHere,
  startShared,
  temporaryCluster,
  temporaryFolder,
} from "../support/process.ts";
import { runHere } from "../support/run-here.ts";

type RunningSite = SiteHere & { settings: Record<string, string> };

const DOCTOR = path.resolve(import.meta.dirname, "../../server/cli/doctor.ts");

const external = await startExternalServer();
// Tests that don't change the site share this one.
let shared: RunningSite;
beforeAll(async () => {
  const DATA_DIR = await newClusterDir();
  const settings = { DATA_DIR, PORT: String(await freePort()), SEED: "none" };
  shared = { ...(await startShared(settings)), settings };
});
afterAll(async () => {
  await shared.stop();
  await rm(shared.settings["DATA_DIR"] ?? "", { recursive: true });
  await external.stop();
});

async function runDoctor(settings: Record<string, string>) {
  const { code, stdout, stderr } = await runHere(doctor, [], settings);
  expect(stderr).toBe("");
  return { code, stdout, problems: problemsIn(stdout) };
}

function problemsIn(output: string): string[] {
  return output.split("\n").filter((line) => line.startsWith("problem "));
}

async function findOnlyProblem(settings: Record<string, string>): Promise<string> {
  const { code, problems, stdout } = await runDoctor(settings);
  expect(problems, stdout).toHaveLength(1);
  expect(code).toBe(1);
  return problems[0] ?? "";
}

async function emptySettings(): Promise<Record<string, string>> {
  return { PORT: String(await freePort()), DATA_DIR: path.join(await temporaryFolder(), "data") };
}

async function startSite(more: Record<string, string> = {}): Promise<RunningSite> {
  const settings = {
    ...(await emptySettings()),
    DATA_DIR: await temporaryCluster(),
    SEED: "none",
    ...more,
  };
  return { ...(await startHere(settings)), settings };
}

async function listenOn(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return String((server.address() as AddressInfo).port);
}

describe("the report of npm run doctor on a working setup", () => {
  test("npm run doctor finds no problem before a first start, and creates nothing", async () => {
    const settings = await emptySettings();
    const { code, problems, stdout } = await runDoctor(settings);
    expect({ code, problems }).toEqual({ code: 0, problems: [] });
    expect(stdout).toMatch(/^Techfolio \d+\.\d+\.\d+\n/);
    expect(stdout).toContain("No problems were found.");
    expect(existsSync(settings["DATA_DIR"] ?? "")).toBe(false);
  });

  test("npm run doctor finds no problem with a running or stopped site", async () => {
    const running = await runDoctor(shared.settings);
    expect({ code: running.code, problems: running.problems }).toEqual({ code: 0, problems: [] });
    expect(running.stdout).toContain(`The site is running at ${shared.url}, and its database responds.`);
    expect(running.stdout).toContain("PostgreSQL is running.");

    const stopped = await runDoctor({ ...(await emptySettings()), DATA_DIR: await temporaryCluster() });
    expect({ code: stopped.code, problems: stopped.problems }).toEqual({ code: 0, problems: [] });
    expect(stopped.stdout).toContain("PostgreSQL starts with the site.");
    expect(stopped.stdout).toContain("The schema is up to date.");
  });

  test("npm run doctor names the operators without a passkey, who are a problem if they need one", async () => {
    const PORT = String(await freePort());
    const site = await startSite({ PORT, SITE_URL: `http://localhost:${PORT}` });
    const email = "operator@example.com";
    const admin = await adminOf(site.settings["DATA_DIR"] ?? "");
    const id = await makeMember(admin, email);
    await admin.query(`update auth.users set raw_app_meta_data = '{"role": "operator"}' where id = $1`, [id]);
    const { code, stdout } = await runDoctor(site.settings);
    expect(stdout).toContain(`These operators have no passkey: ${email}.`);
    expect(code).toBe(0);
    const problem = await findOnlyProblem({ ...site.settings, OPERATORS_NEED_PASSKEY: "on" });
    expect(problem).toContain(`These operators have no passkey: ${email}. With OPERATORS_NEED_PASSKEY=on`);
  });

  test("npm run doctor finds no problem with DATABASE_URL, before and after the first start", async () => {
    const settings = { DATABASE_URL: await external.createDatabase(), AUTH_JWT_SECRET: "x".repeat(32) };
    const before = await runDoctor({ ...settings, PORT: String(await freePort()) });
    expect({ code: before.code, problems: before.problems }).toEqual({ code: 0, problems: [] });
    expect(before.stdout).toContain("DATABASE_URL connects to PostgreSQL");
    const site = await startSite(settings);
    const after = await runDoctor(site.settings);
    expect({ code: after.code, problems: after.problems }).toEqual({ code: 0, problems: [] });
  });

  test("npm run doctor accepts a Supabase project and reports a key that the project rejects", async () => {
    // Another site replaces the project, because the built-in backend speaks the same protocol.
    const { anonKey } = await readKeys(shared.settings["DATA_DIR"] ?? "");
    const settings = { SUPABASE_URL: shared.url, SUPABASE_PUBLISHABLE_KEY: anonKey };
    const { code, stdout } = await runDoctor({ ...settings, PORT: String(await freePort()) });
    expect(stdout).toContain("responds, accepts the key and has the tables");
    expect(code).toBe(0);
    const other = await signKeys("y".repeat(32));
    const refused = { ...settings, SUPABASE_PUBLISHABLE_KEY: other.anonKey, PORT: String(await freePort()) };
    expect(await findOnlyProblem(refused)).toContain("does not accept SUPABASE_PUBLISHABLE_KEY");
  });
});

test("npm run doctor prints only the error when a setting is invalid", async () => {
  const settings = { ...(await emptySettings()), SMTP_PORT: "25" };
  expect(await runHere(doctor, [], settings)).toEqual({
    code: 1,
    stdout: "",
    stderr: "SMTP_HOST must be set together with SMTP_PORT.\n",
  });
});

describe("the report of npm run doctor on the port and the running site", () => {
  test("npm run doctor reports a port that another program uses", async () => {
    const otherProgram: RequestListener = (_request, response) => void response.end("welcome");
    const PORT = await listenOn(createHttpServer(otherProgram));
    expect(await findOnlyProblem({ ...(await emptySettings()), PORT })).toContain(
      `PORT ${PORT} on 127.0.0.1 cannot be used (address already in use): set another PORT or HOST.`,
    );
  });

  test("npm run doctor with another PORT reports that a site is already running on DATA_DIR", async () => {
    const problem = await findOnlyProblem({ ...shared.settings, PORT: String(await freePort()) });
    expect(problem).toContain(`Another Techfolio (process ${process.pid}) is already running on DATA_DIR`);
  });

  test("npm run doctor reports that a running site's database is unavailable", async () => {
    const DATABASE_URL = await external.createMigratedDatabase();
    const site = await startSite({ DATABASE_URL, AUTH_JWT_SECRET: "x".repeat(32) });
    const name = new URL(DATABASE_URL).pathname.slice(1);
    await external.query(`alter database ${name} allow_connections false`);
    await external.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
    const { code, problems } = await runDoctor(site.settings);
    expect(code).toBe(1);
    expect(problems.join("\n")).toContain("its database does not respond");
    expect(problems.join("\n")).toContain("is not currently accepting connections");
  });
});

describe("the report of npm run doctor on what keeps a site from starting or working", () => {
  test("npm run doctor reports a schema from before 0.1.0, in DATA_DIR and in DATABASE_URL", async () => {
    const outdate = "insert into supabase_migrations.schema_migrations (version) values ('20260101000000')";
    const DATABASE_URL = await external.createMigratedDatabase();
    await external.query(outdate, new URL(DATABASE_URL).pathname.slice(1));
    const settings = { ...(await emptySettings()), DATABASE_URL, AUTH_JWT_SECRET: "x".repeat(32) };
    expect(await findOnlyProblem(settings)).toContain("created by a version from before 0.1.0");

    const embedded = await startSite();
    await (await adminOf(embedded.settings["DATA_DIR"] ?? "")).query(outdate);
    expect(await findOnlyProblem(embedded.settings)).toContain("created by a version from before 0.1.0");
    await embedded.stop();
    expect(await findOnlyProblem(embedded.settings)).toContain("created by a version from before 0.1.0");
  });

  test("npm run doctor reports an AUTH_JWT_SECRET that the running processes don't share", async () => {
    const DATABASE_URL = await external.createMigratedDatabase();
    const site = await startSite({ DATABASE_URL, AUTH_JWT_SECRET: "x".repeat(32) });
    const other = { ...site.settings, AUTH_JWT_SECRET: "y".repeat(32) };
    const elsewhere = { ...other, PORT: String(await freePort()) };
    expect(await findOnlyProblem(elsewhere)).toContain("serving this database with other keys");
    const { problems } = await runDoctor(other);
    expect(problems.join("\n")).toContain(
      `The site that is running at ${site.url} has other keys: set DATA_DIR or AUTH_JWT_SECRET`,
    );
    await site.stop();
    expect((await runDoctor(elsewhere)).problems).toEqual([]);
  });

  test("npm run doctor and the site's log report a locale that would make searches distinguish É from é", async () => {
    await external.query(
      "create database limited template template0 locale_provider libc locale 'C' encoding 'UTF8'",
    );
    const DATABASE_URL = (await external.createDatabase()).replace(/[^/]+$/, "limited");
    const site = await startSite({ DATABASE_URL, AUTH_JWT_SECRET: "x".repeat(32) });
    expect(site.stderr()).toContain("Searches ignore case only in English letters");
    expect(await findOnlyProblem(site.settings)).toContain("Searches ignore case only in English letters");
  });

  test("npm run doctor reports a Turkish locale, in which I is not the capital of i", async ({ skip }) => {
    const create =
      "create database turkish template template0 locale_provider icu icu_locale 'tr-TR' encoding 'UTF8'";
    const isCreated = await external.query(create).then(
      () => true,
      () => false,
    );
    skip(!isCreated, "this PostgreSQL has no locales of ICU");
    const DATABASE_URL = (await external.createDatabase()).replace(/[^/]+$/, "turkish");
    const settings = { ...(await emptySettings()), DATABASE_URL, AUTH_JWT_SECRET: "x".repeat(32) };
    expect(await findOnlyProblem(settings)).toContain("I is not the capital of i");
    const error = await startHere(settings).catch((reason) => reason);
    expect(error).toBeInstanceOf(OperatorError);
    expect(error.message).toMatch(/^In the locale of the database [^\n]+ such as C\.UTF-8\.$/);
  });

  test("npm run doctor reports a misspelled setting in the environment", async () => {
    const settings = await emptySettings();
    const misspelled = { ...settings, SITE_NAMEE: "x" };
    const { code, stdout, stderr } = await runServerProgram("server/cli/doctor.ts", [], misspelled);
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    expect(problemsIn(stdout)).toEqual([
      expect.stringContaining("SITE_NAMEE is not a setting: did you mean SITE_NAME?"),
    ]);
  });

  test("npm run doctor reports a clock that differs from the database's by a minute", async () => {
    const client = new pg.Client(await external.createMigratedDatabase());
    await client.connect();
    onTestFinished(() => client.end());
    const clockNow = async () => {
      const inspected = { client, jwtSecret: undefined, isExternal: true, hasBackupsElsewhere: false };
      return (await inspectDatabase(inspected)).find(({ topic }) => topic === "clock");
    };
    expect(await clockNow()).toMatchObject({ isProblem: false });
    const { now } = Date;
    vi.spyOn(Date, "now").mockImplementation(() => now() - 60_000);
    onTestFinished(() => void vi.restoreAllMocks());
    const found = await clockNow();
    expect(found).toMatchObject({ isProblem: true });
    expect(found?.text).toMatch(/clock is (59|60)\.\d seconds behind the database's/);
  });

  test("npm run doctor reports a newest backup of more than a day ago, and a site without any a day after its first account, except for demo accounts", async () => {
    const site = await startSite();
    const DATA_DIR = site.settings["DATA_DIR"] ?? "";
    const admin = await adminOf(DATA_DIR);
    expect((await runDoctor(site.settings)).stdout).toContain("No backup has been made yet.");
    await admin.query(
      "insert into auth.users (id, email, created_at) values (gen_random_uuid(), 'ines@techfolio.example', now() - interval '243 days')",
    );
    expect((await runDoctor(site.settings)).problems).toEqual([]);
    await admin.query(
      "insert into auth.users (id, created_at) values (gen_random_uuid(), now() - interval '2 days')",
    );
    expect(await findOnlyProblem(site.settings)).toContain("No backup has been made: set one up");
    expect((await runDoctor({ ...site.settings, BACKUPS: "elsewhere" })).problems).toEqual([]);
    await backUp({ DATA_DIR });
    expect((await runDoctor(site.settings)).stdout).toContain("was made less than an hour ago");
    await recordBackup(admin, new Date(Date.now() - 30 * 3_600_000));
    expect(await findOnlyProblem(site.settings)).toContain("The newest backup is 30 hours old");
  });
});

test("npm run doctor reports that all visitors share the proxy's address if SITE_URL is https and TRUST_PROXY is not set", async () => {
  const settings = { ...(await emptySettings()), SITE_URL: "https://techfolio.example" };
  expect(await findOnlyProblem(settings)).toContain(
    "With TRUST_PROXY=0, all visitors share the proxy's address",
  );
  expect((await runDoctor({ ...settings, TRUST_PROXY: "1" })).problems).toEqual([]);
});

test("npm run doctor rejects arguments and points to its help", async () => {
  const help = await runHere(doctor, ["--help"], {});
  expect(help).toMatchObject({ code: 0, stderr: "" });
  expect(help.stdout).toMatch(/^npm run doctor\n[\s\S]*Takes no arguments/);
  const refused = await runHere(doctor, ["everything"], {});
  expect(refused).toMatchObject({ code: 2, stdout: "" });
  expect(refused.stderr).toMatch(
    /^"doctor": Unexpected argument 'everything'[^\n]+npm run doctor -- --help\n$/,
  );
});

test("npm run doctor prints no stack trace if its output is closed early", async () => {
  const command = `'${process.execPath}' --disable-warning=ExperimentalWarning '${DOCTOR}' | head -n 1`;
  const { stdout, stderr } = await runCommand("/bin/sh", ["-c", command], await emptySettings());
  expect(stdout.split("\n")).toHaveLength(2);
  expect(stderr).toBe("");
});

describe("the report of npm run doctor on DATA_DIR", () => {
  test("npm run doctor reports a DATA_DIR with unrelated files", async () => {
    const DATA_DIR = await temporaryFolder();
    await writeFile(path.join(DATA_DIR, "thesis.txt"), "kept");
    const { code, problems } = await runDoctor({ ...(await emptySettings()), DATA_DIR });
    expect(code).toBe(1);
    expect(problems[0]).toContain("contains other files (thesis.txt)");
  });

  test("npm run doctor reports a database that a newer PostgreSQL created", async () => {
    const DATA_DIR = await temporaryFolder();
    await mkdir(path.join(DATA_DIR, "postgres"));
    await writeFile(path.join(DATA_DIR, "postgres/PG_VERSION"), "99\n");
    expect(await findOnlyProblem({ ...(await emptySettings()), DATA_DIR })).toContain(
      "the newer PostgreSQL 99",
    );
  });
});

test("npm run doctor reports a wrong database password, and a missing one whether or not the site is running", async () => {
  const site = await startSite();
  const secret = path.join(site.settings["DATA_DIR"] ?? "", "postgres.password");
  const password = await readFile(secret, "utf8");
  await writeFile(secret, "another one");
  expect(await findOnlyProblem(site.settings)).toContain("password authentication failed for user");
  await rm(secret);
  expect(await findOnlyProblem(site.settings)).toContain("restore the file postgres.password");
  await site.stop();
  expect(await findOnlyProblem(site.settings)).toContain("restore the file postgres.password");
  await writeFile(secret, password);
  expect((await runDoctor(site.settings)).problems).toEqual([]);
});

describe("the report of npm run doctor on keys.json", () => {
  async function settingsWith(keys: unknown) {
    const DATA_DIR = await temporaryFolder();
    const file = path.join(DATA_DIR, "keys.json");
    await writeFile(file, JSON.stringify(keys), { mode: 0o600 });
    return { ...(await emptySettings()), DATA_DIR };
  }

  test("npm run doctor reports invalid keys", async () => {
    expect((await runDoctor(await settingsWith(await signKeys("x".repeat(32))))).problems).toEqual([]);
    expect(await findOnlyProblem(await settingsWith({ anonKey: 1 }))).toContain("keys.json is damaged");
  });
});

describe("the report of npm run doctor on DATABASE_URL", () => {
  const settingsFor = async (DATABASE_URL: string) => ({
    PORT: String(await freePort()),
    DATABASE_URL,
    AUTH_JWT_SECRET: "x".repeat(32),
  });

  test("npm run doctor reports an unreachable database without showing its password", async () => {
    const settings = await settingsFor(`postgres://me:hunter2@127.0.0.1:${await freePort()}/x`);
    const problem = await findOnlyProblem(settings);
    expect(problem).toContain("ECONNREFUSED");
    expect(problem).not.toContain("hunter2");
  });

  test("npm run doctor reports a login that is not allowed to prepare an empty database", async () => {
    const name = new URL(await external.createDatabase()).pathname.slice(1);
    await external.query("create role stranger login password 'x'");
    const problem = await findOnlyProblem(await settingsFor(external.url("stranger", "x", name)));
    expect(problem).toContain(
      "The login stranger in DATABASE_URL can neither prepare nor serve the database",
    );
  });

  test("npm run doctor reports a missing migration that the login is not allowed to apply", async () => {
    const name = new URL(await external.createMigratedDatabase()).pathname.slice(1);
    const history = "supabase_migrations.schema_migrations";
    await external.query(`delete from ${history} where version >= '20261126180000'`, name);
    await external.query("create role serving_login login password 'x' in role authenticator");
    const settings = await settingsFor(external.url("serving_login", "x", name));
    expect(await findOnlyProblem(settings)).toContain("lacks the migration 20261126180000");
  });
});

describe("the report of npm run doctor on SMTP settings", () => {
  const settingsFor = async (port: number, more: Record<string, string> = {}) => ({
    ...(await emptySettings()),
    SMTP_HOST: "127.0.0.1",
    SMTP_PORT: String(port),
    SMTP_FROM: "site@techfolio.test",
    ...more,
  });

  test("npm run doctor checks the mail server without sending an email", async () => {
    const server = await startMailServer();
    const { code, stdout } = await runDoctor(await settingsFor(server.smtp.port));
    expect(stdout).toContain(`The mail server 127.0.0.1:${server.smtp.port} responds.`);
    expect(code).toBe(0);
    expect(server.received.filter((line) => line.startsWith("MAIL"))).toEqual([]);
  });

  test("npm run doctor checks the discovery document of the provider of single sign-on", async () => {
    const provider = await startIdentityProvider({ redirectUri: "https://site.test/auth/v1/callback" });
    onTestFinished(() => provider.stop());
    const settings = {
      ...(await emptySettings()),
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: "techfolio",
      OIDC_CLIENT_SECRET: "hunter2",
      OIDC_DOMAINS: "example.com",
    };
    const { stdout } = await runDoctor(settings);
    expect(stdout).toContain(`The provider ${provider.issuer}/ responds.`);
    const wrong = await findOnlyProblem({ ...settings, OIDC_ISSUER: `${provider.issuer}/realms/main` });
    expect(wrong).toContain("check OIDC_ISSUER");
    expect(wrong).not.toContain("hunter2");
  });

  test("npm run doctor reports an unreachable mail server", async () => {
    const problem = await findOnlyProblem(await settingsFor(await freePort()));
    expect(problem).toContain("ECONNREFUSED");
    expect(problem).toContain("check SMTP_HOST");
  });

  test("npm run doctor reports a rejected mail login without showing its password", async () => {
    const server = await startMailServer("AUTH");
    const login = { SMTP_USER: "me", SMTP_PASSWORD: "hunter2" };
    const problem = await findOnlyProblem(await settingsFor(server.smtp.port, login));
    expect(problem).toContain("check SMTP_USER and SMTP_PASSWORD");
    expect(problem).not.toContain("hunter2");
  });

  test("npm run doctor sends no password without TLS to another machine, and reports the setting that would send it", async () => {
    const server = await startMailServer("STARTTLS");
    // This address reaches the server here, but is not one of those that are certainly this machine's.
    const login = { SMTP_HOST: "0.0.0.0", SMTP_USER: "me", SMTP_PASSWORD: "hunter2" };
    const remote = await settingsFor(server.smtp.port, login);
    expect(await findOnlyProblem(remote)).toContain("SMTP_PASSWORD is not sent");
    expect(await findOnlyProblem({ ...remote, SMTP_REQUIRE_TLS: "off" })).toContain(
      "SMTP_PASSWORD travels unencrypted",
    );
    expect(server.received.filter((line) => line.startsWith("AUTH"))).toEqual([]);
    const { problems } = await runDoctor({ ...remote, SMTP_HOST: "127.0.0.1" });
    expect(problems).toEqual([]);
  });
});
