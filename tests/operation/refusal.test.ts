import { EventEmitter } from "node:events";
import { existsSync } from "node:fs";
import { chmod, chown, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { signKeys } from "../../server/auth/keys.ts";
import { chooseBackend } from "../../server/backends/choose.ts";
import { OperatorError } from "../../server/config/operator-error.ts";
import { readEnvironment, readSettings } from "../../server/config/settings.ts";
import { listen } from "../../server/http/listen.ts";
import { createLog, type Log } from "../../server/http/log.ts";
import { freePort } from "../support/free-port.ts";
import { startHere, startProcess, temporaryCluster, temporaryFolder } from "../support/process.ts";

/** Starts the server as a process, which must print one line and exit. Returns the line. */
async function expectRefusal(settings: Record<string, string>, launch?: { folder: string }): Promise<string> {
  const site = await startProcess({ SEED: "none", ...settings }, launch);
  expect(await site.ended).toEqual({ code: 1, signal: null });
  expect(site.stdout()).toBe("");
  expect(site.stderr()).toMatch(/^[^\n]+\.\n$/);
  return site.stderr().trim();
}

/** Runs the work, which must fail without printing anything. Returns the line that the process would print. */
async function expectFailure(work: (print: (line: string) => void) => Promise<unknown>): Promise<string> {
  const printed: string[] = [];
  const error: unknown = await work((line) => printed.push(line)).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(OperatorError);
  expect(printed).toEqual([]);
  const { message } = error as OperatorError;
  expect(message).toMatch(/^[^\n]+\.$/);
  return message;
}

/** Starts the backend in the test's process, because a child process needs a second of CPU time. */
const expectRefusedData = (environment: Record<string, string>, ownLog?: Log) =>
  expectFailure((print) => {
    const settings = readSettings({ SEED: "none", ...environment });
    return chooseBackend(settings).start({
      events: new EventEmitter(),
      log: ownLog ?? createLog(print),
      print,
    });
  });

test("a second server on the same data directory exits, and the first keeps serving", async () => {
  const dataDir = await temporaryCluster();
  const first = await startHere({ DATA_DIR: dataDir, SEED: "none" });
  const error = await expectRefusal({ DATA_DIR: dataDir });
  expect(error).toBe(
    `Another Techfolio (process ${process.pid}) is already running on DATA_DIR ${dataDir}: stop it first, or set another DATA_DIR.`,
  );
  expect((await fetch(`${first.url}/readyz`)).status).toBe(200);
});

test("the server refuses to start if its port is in use, says why, and creates nothing", async () => {
  const port = await freePort();
  const other = createServer().listen(port, "127.0.0.1");
  onTestFinished(() => void other.close());
  const dataDir = path.join(await temporaryFolder(), "data");
  const error = await expectRefusal({ DATA_DIR: dataDir, PORT: String(port) });
  expect(error).toContain(`PORT ${port} on 127.0.0.1 cannot be used (address already in use)`);
  expect(existsSync(dataDir)).toBe(false);
});

test("the server refuses to start if HOST is not an address of this machine, and says why", async () => {
  const port = await freePort();
  const error = await expectFailure((print) => listen("192.0.2.1", port, 0, createLog(print)));
  expect(error).toBe(
    `PORT ${port} on 192.0.2.1 cannot be used (address not available): set another PORT or HOST.`,
  );
});

test("the server refuses to start if .env is unreadable, and says why", async () => {
  const folder = await temporaryFolder();
  await mkdir(path.join(folder, ".env"));
  vi.spyOn(process, "cwd").mockReturnValue(folder);
  onTestFinished(() => void vi.restoreAllMocks());
  expect(await expectFailure(async () => readEnvironment())).toBe(
    `The settings in ${folder}/.env cannot be read: illegal operation on a directory.`,
  );
});

test("the server ignores a byte-order mark in .env, refuses to start if a setting is invalid, says why, and creates nothing", async () => {
  const folder = await temporaryFolder();
  await writeFile(path.join(folder, ".env"), "\uFEFFSITE_URL=nowhere\n");
  const dataDir = path.join(folder, "data");
  expect(await expectRefusal({ DATA_DIR: dataDir }, { folder })).toBe(
    'SITE_URL must be an http or https address, not "nowhere".',
  );
  expect(existsSync(dataDir)).toBe(false);
});

test.skipIf(process.getuid?.() !== 0)(
  "the server refuses to start if another user owns its keys, and says why",
  async () => {
    const dataDir = await temporaryCluster();
    const file = path.join(dataDir, "keys.json");
    await writeFile(file, JSON.stringify({ anonKey: "a", serviceKey: "b", jwtSecret: "c" }));
    await chown(file, 12_345, 12_345);
    // PostgreSQL has started, so the log contains its shutdown.
    const log = createLog(() => undefined);
    expect(await expectRefusedData({ DATA_DIR: dataDir }, log)).toBe(
      `${file} belongs to another user (12345): change its owner, or set another DATA_DIR.`,
    );
  },
);

test("the server refuses to start if a newer PostgreSQL created its database, says why, and leaves the database unchanged", async () => {
  const dataDir = await temporaryFolder();
  await mkdir(path.join(dataDir, "postgres"));
  await writeFile(path.join(dataDir, "postgres/PG_VERSION"), "99\n");
  const error = await expectRefusedData({ DATA_DIR: dataDir });
  expect(error).toContain("was created by the newer PostgreSQL 99");
  expect(error).toContain(dataDir);
  expect(await readdir(dataDir)).toEqual(["postgres"]);
  expect(await readdir(path.join(dataDir, "postgres"))).toEqual(["PG_VERSION"]);
});

test("the server refuses to start if an older PostgreSQL created its database, and says why", async () => {
  const dataDir = await temporaryFolder();
  await mkdir(path.join(dataDir, "postgres"));
  await writeFile(path.join(dataDir, "postgres/PG_VERSION"), "17\n");
  expect(await expectRefusedData({ DATA_DIR: dataDir })).toContain("was created by PostgreSQL 17,");
});

test("a database without PG_VERSION is reported as damaged and left unchanged", async () => {
  const dataDir = await temporaryFolder();
  await mkdir(path.join(dataDir, "postgres/base"), { recursive: true });
  expect(await expectRefusedData({ DATA_DIR: dataDir })).toBe(
    `The database in ${dataDir}/postgres is damaged (its file PG_VERSION is missing): restore a backup into another DATA_DIR.`,
  );
  expect(await readdir(path.join(dataDir, "postgres"))).toEqual(["base"]);
});

test.skipIf(process.platform !== "linux")(
  "the server refuses to start if it cannot create its data directory, and says why",
  async () => {
    expect(await expectRefusedData({ DATA_DIR: "/proc/nope/data" })).toBe(
      "DATA_DIR /proc/nope/data cannot be written: no such file or directory.",
    );
  },
);

test("the server refuses to start if its data directory is a file or is inside one, and says why", async () => {
  const file = path.join(await temporaryFolder(), "file");
  await writeFile(file, "kept");
  expect(await expectRefusedData({ DATA_DIR: file })).toContain(
    `DATA_DIR ${file} cannot be written: file already exists`,
  );
  const below = path.join(file, "data");
  expect(await expectRefusedData({ DATA_DIR: below })).toContain(
    `DATA_DIR ${below} cannot be written: not a directory`,
  );
  expect(await readFile(file, "utf8")).toBe("kept");
});

// Skipped for root, who can write to any folder.
test.skipIf(process.getuid?.() === 0)(
  "the server refuses to start if its data directory is not writable, and says why",
  async () => {
    const dataDir = await temporaryFolder();
    await chmod(dataDir, 0o500);
    expect(await expectRefusedData({ DATA_DIR: dataDir })).toBe(
      `DATA_DIR ${dataDir} cannot be written: permission denied.`,
    );
  },
);

test("a folder with unrelated files is not used as a data directory", async () => {
  const dataDir = await temporaryFolder();
  await writeFile(path.join(dataDir, "thesis.txt"), "kept");
  await chmod(dataDir, 0o755);
  expect(await expectRefusedData({ DATA_DIR: dataDir })).toContain("contains other files (thesis.txt)");
  expect(await readdir(dataDir)).toEqual(["thesis.txt"]);
});

test.each([
  ["are invalid", async () => "{"],
  [
    "are signed with another secret",
    async () => JSON.stringify({ ...(await signKeys("x".repeat(32))), jwtSecret: "y".repeat(32) }),
  ],
])("the server refuses to start if its keys %s, says why, and keeps them", async (_case, makeKeys) => {
  const dataDir = await temporaryFolder();
  const file = path.join(dataDir, "keys.json");
  const keys = await makeKeys();
  await writeFile(file, keys);
  const DATABASE_URL = `postgres://me@127.0.0.1:${await freePort()}/x`;
  expect(await expectRefusedData({ DATA_DIR: dataDir, DATABASE_URL })).toBe(
    `${file} is damaged: its two keys must be signed with its jwtSecret. Restore the file, or remove it to get new keys.`,
  );
  expect(await readFile(file, "utf8")).toBe(keys);
});

test("the server refuses to start if a certificate that DATABASE_URL names is missing, says why, and does not wait for the database", async () => {
  const folder = await temporaryFolder();
  const certificate = path.join(folder, "ca.crt");
  const DATABASE_URL = `postgres://me@127.0.0.1:${await freePort()}/x?sslmode=verify-full&sslrootcert=${certificate}`;
  expect(await expectRefusedData({ DATA_DIR: folder, DATABASE_URL })).toBe(
    `The server in DATABASE_URL cannot be used: ENOENT: no such file or directory, open '${certificate}'.`,
  );
});
