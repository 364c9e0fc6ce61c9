import { execFile } from "node:child_process";
import { chmod, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { runServerProgram } from "../support/command.ts";
import { readKeys } from "../support/data-dir.ts";
import {
  adminOf,
  clientOf,
  startHere,
  startProcess,
  temporaryCluster,
  temporaryFolder,
} from "../support/process.ts";

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

  const second = await startProcess({ DATA_DIR: dataDir });
  await second.running();
  expect(second.stdout()).toBe(`Techfolio is running at ${second.url}\n`);
  expect(await readKeys(dataDir)).toEqual(keys);
  const { data: after } = await clientOf(second, keys.anonKey).from("articles").select("*").order("id");
  expect(after).toEqual(before?.slice(1));
});

test("npm start ends its first output with the next steps, and later starts print only the address", async () => {
  const settings = { DATA_DIR: await temporaryFolder(), npm_lifecycle_event: "start" };
  const first = await startProcess(settings);
  await first.running();
  const [, steps] = /^Sign in as .*\n\n((?:.+\n)+)$/m.exec(first.stdout()) ?? [];
  expect(steps).toContain("npm run member -- add");
  expect(steps).toContain(`DATA_DIR ${settings.DATA_DIR}`);
  expect(steps).toContain("Ctrl+C");
  await first.end("SIGTERM");
  const second = await startProcess(settings);
  await second.running();
  expect(second.stdout()).toBe(`Techfolio is running at ${second.url}\n`);
});

test("LOG_FORMAT=text writes readable lines, but without it a program gets JSON", async () => {
  const dataDir = await temporaryCluster();
  const settings = { DATA_DIR: dataDir, SEED: "none" };
  const readable = await startProcess({ ...settings, LOG_FORMAT: "text" });
  await readable.running();
  await fetch(`${readable.url}/articles`);
  await readable.end("SIGTERM");
  expect(readable.stderr()).toMatch(/^\d\d:\d\d:\d\d GET \/articles 200 \([\d.]+ ms\)$/m);
  expect(readable.stderr()).not.toContain("{");
  const json = await startProcess(settings);
  await json.running();
  await fetch(`${json.url}/articles`);
  await json.end("SIGTERM");
  const records = json.stderr().trim().split("\n");
  expect(records.map((record) => JSON.parse(record).event)).toContain("request");
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
  const first = await startProcess({ DATA_DIR: dataDir, SEED: "none" });
  await first.running();
  const admin = await adminOf(dataDir);
  // Make the next start apply this migration again, which fails, because its functions and tables already exist.
  await admin.query("delete from supabase_migrations.schema_migrations where version = '20261126180000'");
  await first.end("SIGTERM");

  const second = await startProcess({ DATA_DIR: dataDir });
  expect(await second.ended).toEqual({ code: 1, signal: null });
  expect(second.stdout()).toBe("");
  // Lines that begin with `{` are log records.
  expect(second.stderr().match(/^[^{].*$/gm)).toEqual([
    `The database in DATA_DIR ${dataDir} cannot be prepared: function "has_text" already exists with same argument types.`,
  ]);
  await expect(stat(path.join(dataDir, "postgres/postmaster.pid"))).rejects.toThrow("ENOENT");
});

test("settings in .env apply unless the environment overrides them", async () => {
  const [folder, dataDir] = [await temporaryFolder(), await temporaryCluster()];
  await writeFile(
    path.join(folder, ".env"),
    `SITE_NAME="From the file"\nDATA_DIR=${folder}/elsewhere\nSEED=none\n`,
  );
  const site = await startProcess({ DATA_DIR: dataDir }, { folder });
  await site.running();
  expect(await (await fetch(site.url)).text()).toContain("From the file.pro");
  expect((await stat(path.join(dataDir, "keys.json"))).isFile()).toBe(true);
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
  const site = await startHere({ DATA_DIR: dataDir, SEED: "none" });
  expect((await fetch(`${site.url}/readyz`)).status).toBe(200);
});

test("keys that other users can read are reported in the log", async () => {
  const dataDir = await temporaryCluster();
  const first = await startHere({ DATA_DIR: dataDir, SEED: "none" });
  expect(first.stderr()).not.toContain("keys.readable");
  await first.stop();
  await chmod(path.join(dataDir, "keys.json"), 0o644);
  const second = await startHere({ DATA_DIR: dataDir, SEED: "none" });
  expect(second.stderr()).toContain(`run chmod 600 ${dataDir}/keys.json`);
});

test("libpq's environment variables affect neither a site on the embedded database nor its backup", async () => {
  const variables = {
    PGSSLMODE: "require",
    PGOPTIONS: "-c no_such_setting=on",
    PGHOST: "192.0.2.1",
    PGPORT: "1",
    PGUSER: "nobody",
    PGDATABASE: "nowhere",
    PGSERVICE: "none",
  };
  const settings = { DATA_DIR: await temporaryCluster(), SEED: "none", ...variables };
  const site = await startProcess(settings);
  await site.running();
  expect((await fetch(`${site.url}/readyz`)).status).toBe(200);
  const file = path.join(await temporaryFolder(), "site.sql");
  expect(await runServerProgram("server/cli/backup.ts", [file], settings)).toMatchObject({ code: 0 });
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
