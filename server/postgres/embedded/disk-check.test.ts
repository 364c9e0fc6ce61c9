import { expect, test } from "vitest";
import { LIMITS } from "../../config/limits.ts";
import { createLog } from "../../http/log.ts";
import { createDiskCheck } from "./disk-check.ts";

const MB = 1024 * 1024;

test("a disk with less than 64 MB of free space counts as full, and each change of that state is logged once", async () => {
  let free = 64 * MB;
  const lines: string[] = [];
  const log = createLog((line) => lines.push(line));
  const isDiskFull = createDiskCheck("/nowhere", log, async () => free);
  expect(await isDiskFull(true)).toBe(false);
  free = 63 * MB;
  for (const _write of [1, 2, 3]) expect(await isDiskFull(true)).toBe(true);
  free = 64 * MB;
  expect(await isDiskFull(true)).toBe(false);
  expect(await isDiskFull(true)).toBe(false);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: "error", event: "disk.full", folder: "/nowhere", free: 63 * MB, minFree: 64 * MB },
    { level: "info", event: "disk.freed", folder: "/nowhere", free: 64 * MB },
  ]);
});

test("a full disk still accepts writes that add no data, until the second reserve is used up", async () => {
  const { toWrite } = LIMITS.freeDiskSpace;
  let free = toWrite;
  const log = createLog(() => undefined);
  const isDiskFull = createDiskCheck("/nowhere", log, async () => free);
  expect([await isDiskFull(true), await isDiskFull(false)]).toEqual([true, false]);
  free -= 1;
  expect([await isDiskFull(true), await isDiskFull(false)]).toEqual([true, true]);
});

test("a disk whose free space cannot be read does not count as full", async () => {
  const isDiskFull = createDiskCheck(
    "/nowhere",
    createLog(() => undefined),
    () => Promise.reject(new Error("no such folder")),
  );
  expect(await isDiskFull(true)).toBe(false);
});
