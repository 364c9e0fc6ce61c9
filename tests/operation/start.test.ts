import { execFile } from "node:child_process";
import { chmod, mkdir, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { signKeys } from "../../server/auth/keys.ts";
import { newClusterDir } from "../support/cluster.ts";
import { runServerProgram } from "../support/command.ts";
import { newDataDir, readKeys } from "../support/data-dir.ts";
import {
  adminOf,
  clientOf,
  startHere,
  startProcess,
  temporaryCluster,
  temporaryFolder,
} from "../support/process.ts";
import { launchSite, type SiteProcess } from "../support/site-process.ts";

async function mode(file: string): Promise<number> {
  return (await stat(file)).mode & 0o777;
}

test("the first start creates a working site and prints a login, and the second keeps its keys and changed content", async () => {
  const dataDir = path.join(await temporaryFolder(), "not", "there", "yet");
  const first = await startProcess({ DATA_DIR: dataDir });
  await first.running();
  expect((await fetch(`${first.url}/readyz`)).status).toBe(200);

  const lines = first.stdout().trim().split("\n");
  expect(lines.at(-2)).toBe(`Techfolio is running at ${first.url}`);
  const [, email = "", password = ""] = /^Sign in as (\S+) \/ (\S+)$/.exec(lines.at(-1) ?? "") ?? [];
  expect(lines).toContain("Creating the database…");

  expect(await mode(dataDir)).toBe(0o700);
  expect(await mode(path.join(dataDir, "keys.json"))).toBe(0o600);
  expect(await mode(path.join(dataDir, "postgres.password"))).toBe(0o600);
  const keys = await readKeys(dataDir);
  const { data, error } = await clientOf(first, keys.anonKey).auth.signInWithPassword({ email, password });
  expect(error).toBeNull();
  expect(data.user?.email).toBe(email);

  const service = clientOf(first, keys.serviceKey);
  const { data: before } = await service.from("articles").select("*").order("id");
  expect(before?.length).toBeGreaterThan(0);
  await service.from("articles").delete().eq("id", before?.[0].id);
  expect(await first.end("SIGTERM")).toEqual({ code: 0, signal: null });

  // Even a later `npm start` prints only the address.
  const second = await startProcess({ DATA_DIR: dataDir, npm_lifecycle_event: "start" });
  await second.running();
  expect(second.stdout()).toBe(`Techfolio is running at ${second.url}\n`);
  expect(await readKeys(dataDir)).toEqual(keys);
  const { data: after } = await clientOf(second, keys.anonKey).from("articles").select("*").order("id");
  expect(after).toEqual(before?.slice(1));
});

test("npm start ends its first output with the next steps", async () => {
  const settings = { DATA_DIR: await temporaryFolder(), npm_lifecycle_event: "start" };
  const first = await startProcess(settings);
  await first.running();
  const [, steps] = /^Sign in as .*\n\n((?:.+\n)+)$/m.exec(first.stdout()) ?? [];
  expect(steps).toContain("npm run member -- add");
  expect(steps).toContain(`DATA_DIR ${settings.DATA_DIR}`);
  expect(steps).toContain("Ctrl+C");
});

describe("a site with settings in .env, and with libpq's environment variables", () => {
  let folder: string;
  let settings: Record<string, string>;
  let site: SiteProcess;

  beforeAll(async () => {
    folder = await newDataDir();
    await writeFile(
      path.join(folder, ".env"),
      `SITE_NAME="From the file"\nDATA_DIR=${folder}/elsewhere\nSEED=none\nLOG_FORMAT=text\n`,
    );
    settings = {
      DATA_DIR: await newClusterDir(),
      PGSSLMODE: "require",
      PGOPTIONS: "-c no_such_setting=on",
      PGHOST: "192.0.2.1",
      PGPORT: "1",
      PGUSER: "nobody",
      PGDATABASE: "nowhere",
      PGSERVICE: "none",
    };
    site = await launchSite(settings, { folder });
    await site.running();
  });
  afterAll(async () => {
    await site.end("SIGTERM");
    for (const created of [folder, settings["DATA_DIR"] ?? ""]) await rm(created, { recursive: true });
  });

  test("settings in .env apply unless the environment overrides them", async () => {
    expect(await (await fetch(site.url)).text()).toContain("From the file.pro");
    expect((await stat(path.join(settings["DATA_DIR"] ?? "", "keys.json"))).isFile()).toBe(true);
  });

  test("LOG_FORMAT=text writes readable lines", async () => {
    await fetch(`${site.url}/articles`);
    await expect.poll(() => site.stderr()).toMatch(/^\d\d:\d\d:\d\d GET \/articles 200 \([\d.]+ ms\)$/m);
    expect(site.stderr()).not.toContain("{");
  });

  test("libpq's environment variables affect neither a site on the embedded database nor its backup", async () => {
    expect((await fetch(`${site.url}/readyz`)).status).toBe(200);
    const file = path.join(await temporaryFolder(), "site.sql");
    expect(await runServerProgram("server/cli/backup.ts", [file], settings)).toMatchObject({ code: 0 });
  });
});

test("SEED=none leaves the database empty, and a later start does not fill it", async () => {
  const dataDir = await temporaryCluster();
  const first = await startHere({ DATA_DIR: dataDir, SEED: "none" });
  expect(first.stdout()).not.toContain("Sign in");
  await first.stop();
  const second = await startHere({ DATA_DIR: dataDir });
  const { anonKey } = await readKeys(dataDir);
  const { data } = await clientOf(second, anonKey).from("profiles").select("id");
  expect(data).toEqual([]);
});

test("the server refuses to start if a migration fails, and says why in one line", async () => {
  const dataDir = await temporaryCluster();
  const first = await startHere({ DATA_DIR: dataDir, SEED: "none" });
  const admin = await adminOf(dataDir);
  // Make the next start apply this migration again, which fails, because its functions and tables already exist.
  await admin.query("delete from supabase_migrations.schema_migrations where version = '20261126180000'");
  await first.stop();

  const second = await startProcess({ DATA_DIR: dataDir });
  expect(await second.ended).toEqual({ code: 1, signal: null });
  expect(second.stdout()).toBe("");
  // Lines that begin with `{` are log records.
  expect(second.stderr().match(/^[^{].*$/gm)).toEqual([
    `The database in DATA_DIR ${dataDir} cannot be prepared: function "has_text" already exists with same argument types.`,
  ]);
  await expect(stat(path.join(dataDir, "postgres/postmaster.pid"))).rejects.toThrow("ENOENT");
});

test("a start removes other users' access to DATA_DIR", async () => {
  const dataDir = await temporaryCluster();
  await chmod(dataDir, 0o755);
  await startHere({ DATA_DIR: dataDir, SEED: "none" });
  expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
  expect((await stat(path.join(dataDir, "keys.json"))).mode & 0o777).toBe(0o600);
});

test("a site starts even if the path of its DATA_DIR is too long for a Unix socket", async () => {
  const dataDir = path.join(await temporaryFolder(), "a-very-long-name-".repeat(7));
  await mkdir(dataDir);
  await newClusterDir(dataDir);
  const site = await startHere({ DATA_DIR: dataDir, SEED: "none" });
  expect((await fetch(`${site.url}/readyz`)).status).toBe(200);
});

test("keys that other users can read are reported in the log", async () => {
  const dataDir = await temporaryCluster();
  const keys = await signKeys("x".repeat(32));
  await writeFile(path.join(dataDir, "keys.json"), JSON.stringify(keys), { mode: 0o644 });
  const site = await startHere({ DATA_DIR: dataDir, SEED: "none" });
  expect(site.stderr()).toContain("keys.readable");
  expect(site.stderr()).toContain(`run chmod 600 ${dataDir}/keys.json`);
});

test("a start succeeds after a mount has given the group access to all files", async () => {
  const dataDir = await temporaryCluster();
  await promisify(execFile)("chmod", ["-R", "g+rwX,g+s", dataDir]);
  await startHere({ DATA_DIR: dataDir, SEED: "none" });
  expect(await mode(path.join(dataDir, "postgres"))).toBe(0o700);
  expect(await mode(dataDir)).toBe(0o700);
});

test("successful health checks are not logged, and other requests are", async () => {
  const site = await startHere({ DATA_DIR: await temporaryCluster(), SEED: "none" });
  for (const address of ["/healthz", "/readyz", "/articles"]) await fetch(`${site.url}${address}`);
  await site.stop();
  const lines = site.stderr().trim().split("\n");
  const requests = lines.map((line) => JSON.parse(line)).filter(({ event }) => event === "request");
  expect(requests.map(({ path }) => path)).toEqual(["/articles"]);
});
