import { mkdtemp, rm, writeFile } from "node:fs/promises";
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

test("a damaged lock file is not reported as another running server", async () => {
  const folder = await newFolder();
  await writeFile(path.join(folder, "server.lock"), "something else");
  expect(() => lockDataDir(folder)).toThrow(
    `DATA_DIR ${folder} cannot be locked with its file server.lock: file is not a database.`,
  );
});
