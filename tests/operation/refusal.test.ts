import { existsSync } from "node:fs";
import { chmod, chown, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { signKeys } from "../../server/auth/keys.ts";
import { freePort } from "../support/free-port.ts";
import { startProcess, temporaryCluster, temporaryFolder } from "../support/process.ts";

async function refusal(settings: Record<string, string>, launch?: { folder: string }): Promise<string> {
  const site = await startProcess({ SEED: "none", ...settings }, launch);
  expect(await site.ended).toEqual({ code: 1, signal: null });
  expect(site.stdout()).toBe("");
  expect(site.stderr()).toMatch(/^[^\n]+\.\n$/);
  return site.stderr().trim();
}

test("two servers on one data directory: the second says so, the first serves on", async () => {
  const dataDir = await temporaryCluster();
  const first = await startProcess({ DATA_DIR: dataDir, SEED: "none" });
  await first.running();
  const sentence = await refusal({ DATA_DIR: dataDir });
  expect(sentence).toBe(
    `Another Techfolio (process ${first.child.pid}) is already running on DATA_DIR ${dataDir}: stop it first, or set another DATA_DIR.`,
  );
  expect((await fetch(`${first.url}/readyz`)).status).toBe(200);
});

test("a port that is taken is named before anything is made", async () => {
  const port = await freePort();
  const other = createServer().listen(port, "127.0.0.1");
  onTestFinished(() => void other.close());
  const dataDir = path.join(await temporaryFolder(), "data");
  const sentence = await refusal({ DATA_DIR: dataDir, PORT: String(port) });
  expect(sentence).toContain(`PORT ${port} on 127.0.0.1 cannot be used (address already in use)`);
  expect(existsSync(dataDir)).toBe(false);
});

test("an address that this machine does not have is named", async () => {
  const sentence = await refusal({ DATA_DIR: await temporaryFolder(), HOST: "192.0.2.1" });
  expect(sentence).toMatch(
    /^PORT \d+ on 192\.0\.2\.1 cannot be used \(address not available\): set another PORT or HOST\.$/,
  );
});

test("settings that cannot be read are named with the reason", async () => {
  const folder = await temporaryFolder();
  await mkdir(path.join(folder, ".env"));
  const sentence = await refusal({ DATA_DIR: path.join(folder, "data") }, { folder });
  expect(sentence).toMatch(
    /^The settings in \/.+\/\.env cannot be read: illegal operation on a directory\.$/,
  );
  expect(existsSync(path.join(folder, "data"))).toBe(false);
});

test("the first line of settings is read behind a byte-order mark", async () => {
  const folder = await temporaryFolder();
  await writeFile(path.join(folder, ".env"), "\uFEFFSITE_URL=nowhere\n");
  expect(await refusal({ DATA_DIR: path.join(folder, "data") }, { folder })).toBe(
    'SITE_URL must be an http or https address, not "nowhere".',
  );
});

test.skipIf(process.getuid?.() !== 0)("keys that belong to somebody else are not used", async () => {
  const dataDir = await temporaryCluster();
  const file = path.join(dataDir, "keys.json");
  await writeFile(file, JSON.stringify({ anonKey: "a", serviceKey: "b", jwtSecret: "c" }));
  await chown(file, 12_345, 12_345);
  const site = await startProcess({ DATA_DIR: dataDir, SEED: "none" });
  expect(await site.ended).toEqual({ code: 1, signal: null });
  expect(site.stderr()).toContain(`The keys in ${file} belong to another user (12345): they are not used.\n`);
});

test("a database of a newer PostgreSQL is left as it is", async () => {
  const dataDir = await temporaryFolder();
  await mkdir(path.join(dataDir, "postgres"));
  await writeFile(path.join(dataDir, "postgres/PG_VERSION"), "99\n");
  const sentence = await refusal({ DATA_DIR: dataDir });
  expect(sentence).toContain("was made by the newer PostgreSQL 99");
  expect(sentence).toContain(dataDir);
  expect(await readdir(dataDir)).toEqual(["postgres"]);
  expect(await readdir(path.join(dataDir, "postgres"))).toEqual(["PG_VERSION"]);
});

test("a database of an older PostgreSQL is left as it is", async () => {
  const dataDir = await temporaryFolder();
  await mkdir(path.join(dataDir, "postgres"));
  await writeFile(path.join(dataDir, "postgres/PG_VERSION"), "17\n");
  expect(await refusal({ DATA_DIR: dataDir })).toContain("was made by PostgreSQL 17;");
});

test("a database without its file PG_VERSION is named as damaged and left unchanged", async () => {
  const dataDir = await temporaryFolder();
  await mkdir(path.join(dataDir, "postgres/base"), { recursive: true });
  expect(await refusal({ DATA_DIR: dataDir })).toBe(
    `The database in ${dataDir}/postgres is damaged, its file PG_VERSION is missing: restore a backup into another DATA_DIR.`,
  );
  expect(await readdir(path.join(dataDir, "postgres"))).toEqual(["base"]);
});

test.skipIf(process.platform !== "linux")("a data directory that cannot be created is named", async () => {
  expect(await refusal({ DATA_DIR: "/proc/nope/data" })).toBe(
    "DATA_DIR /proc/nope/data cannot be written: no such file or directory.",
  );
});

test("a data directory that is a file, or lies below one, is named", async () => {
  const file = path.join(await temporaryFolder(), "file");
  await writeFile(file, "kept");
  expect(await refusal({ DATA_DIR: file })).toContain(
    `DATA_DIR ${file} cannot be written: file already exists`,
  );
  const below = path.join(file, "data");
  expect(await refusal({ DATA_DIR: below })).toContain(
    `DATA_DIR ${below} cannot be written: not a directory`,
  );
  expect(await readFile(file, "utf8")).toBe("kept");
});

// Whom the rights of a file do not hold back cannot be refused by them.
test.skipIf(process.getuid?.() === 0)("a data directory without the right to write is named", async () => {
  const dataDir = await temporaryFolder();
  await chmod(dataDir, 0o500);
  expect(await refusal({ DATA_DIR: dataDir })).toBe(
    `DATA_DIR ${dataDir} cannot be written: permission denied.`,
  );
});

test("a folder of other things is not taken for a data directory", async () => {
  const dataDir = await temporaryFolder();
  await writeFile(path.join(dataDir, "thesis.txt"), "kept");
  await chmod(dataDir, 0o755);
  expect(await refusal({ DATA_DIR: dataDir })).toContain("holds other things (thesis.txt)");
  expect(await readdir(dataDir)).toEqual(["thesis.txt"]);
});

test("keys that are broken are named and kept", async () => {
  const dataDir = await temporaryFolder();
  await writeFile(path.join(dataDir, "keys.json"), "{");
  const site = await startProcess({ DATA_DIR: dataDir, SEED: "none" });
  expect(await site.ended).toEqual({ code: 1, signal: null });
  expect(site.stderr()).toContain(`${dataDir}/keys.json does not hold`);
  expect(await readFile(path.join(dataDir, "keys.json"), "utf8")).toBe("{");
});

test("keys that another secret has signed are named and kept", async () => {
  const dataDir = await temporaryFolder();
  const file = path.join(dataDir, "keys.json");
  const keys = JSON.stringify({ ...(await signKeys("x".repeat(32))), jwtSecret: "y".repeat(32) });
  await writeFile(file, keys);
  const DATABASE_URL = `postgres://me@127.0.0.1:${await freePort()}/x`;
  expect(await refusal({ DATA_DIR: dataDir, DATABASE_URL })).toBe(
    `${file} does not hold { "anonKey", "serviceKey", "jwtSecret" }, the first two signed with the third: restore it or remove it.`,
  );
  expect(await readFile(file, "utf8")).toBe(keys);
});

test("a setting that makes no sense is named before anything is made", async () => {
  const dataDir = path.join(await temporaryFolder(), "data");
  expect(await refusal({ DATA_DIR: dataDir, PORT: "eighty" })).toBe(
    'PORT must be a whole number from 1 to 65535, not "eighty".',
  );
  expect(existsSync(dataDir)).toBe(false);
});
