import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createLog } from "../../http/log.ts";
import { watchFreeSpace } from "./free-space.ts";

const MB = 1024 * 1024;

test("notices that a disk fills up and that it has space again, and says each once", async () => {
  let free = 63 * MB;
  const lines: string[] = [];
  const log = createLog((line) => lines.push(line));
  const isShort = watchFreeSpace("/nowhere", log, async () => free);
  expect(isShort()).toBe(false);
  await expect.poll(isShort).toBe(true);
  free = 400 * MB;
  await expect.poll(isShort).toBe(false);
  expect(lines.map((line) => JSON.parse(line).level)).toEqual(["error", "info"]);
});

test("keeps a reserve on the disk, and gives it up when others have filled it", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "techfolio-space-"));
  let free = 500 * MB;
  onTestFinished(async () => {
    free = 0;
    // Now nothing is written that the folder could not be removed for.
    await expect.poll(() => readdir(folder)).toEqual([]);
    await rm(folder, { recursive: true });
  });
  let looks = 0;
  const isShort = watchFreeSpace(
    folder,
    createLog(() => undefined),
    async () => {
      looks += 1;
      return free;
    },
  );
  const reserve = path.join(folder, "space-reserve");
  const size = () =>
    stat(reserve).then(
      (known) => known.size,
      () => 0,
    );
  await expect.poll(size).toBe(32 * MB);
  expect((await stat(reserve)).mode & 0o777).toBe(0o600);
  free = 20 * MB;
  await expect.poll(() => readdir(folder)).toEqual([]);
  expect(isShort()).toBe(true);

  // Room for writes, but not for the reserve as well: it stays as it is, however often one looks.
  free = 100 * MB;
  const seen = looks;
  await expect.poll(() => looks).toBeGreaterThan(seen + 1);
  expect(isShort()).toBe(true);
  free = 200 * MB;
  await expect.poll(isShort).toBe(false);
  expect(await size()).toBe(32 * MB);
});

test("holds nothing against a disk that cannot be asked", async () => {
  let looks = 0;
  const isShort = watchFreeSpace(
    "/nowhere",
    createLog(() => undefined),
    () => {
      looks += 1;
      return Promise.reject(new Error("no"));
    },
  );
  await expect.poll(() => looks).toBeGreaterThan(2);
  expect(isShort()).toBe(false);
});
