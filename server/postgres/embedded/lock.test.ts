import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { lockDataDir } from "./lock.ts";

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "techfolio-lock-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test("a locked data directory cannot be locked again until it is unlocked", async () => {
  const folder = await newFolder();
  const unlock = lockDataDir(folder);
  expect(() => lockDataDir(folder)).toThrow(
    `Another Techfolio (process ${process.pid}) is already running on DATA_DIR ${folder}`,
  );
  unlock();
  lockDataDir(folder)();
});

test("only the account that runs the site can read which process has locked the data directory", async () => {
  const folder = await newFolder();
  onTestFinished(lockDataDir(folder));
  expect((await stat(path.join(folder, "server.pid"))).mode & 0o777).toBe(0o600);
});

test("a lock file that can't be opened is reported with the reason", async () => {
  const folder = path.join(await newFolder(), "missing");
  expect(() => lockDataDir(folder)).toThrow(
    `DATA_DIR ${folder} cannot be locked with its file server.lock: unable to open database file.`,
  );
});

test("a damaged lock file is not reported as another running server", async () => {
  const folder = await newFolder();
  await writeFile(path.join(folder, "server.lock"), "something else");
  expect(() => lockDataDir(folder)).toThrow(
    `DATA_DIR ${folder} cannot be locked with its file server.lock: file is not a database.`,
  );
});
