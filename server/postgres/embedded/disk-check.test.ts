import { expect, test } from "vitest";
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
  expect(await isDiskFull(true)).toBe(true);
  expect(await isDiskFull(true)).toBe(true);
  free = 64 * MB;
  expect(await isDiskFull(true)).toBe(false);
  expect(lines.map((line) => JSON.parse(line).level)).toEqual(["error", "info"]);
});

test("a disk whose free space cannot be read does not count as full", async () => {
  const isDiskFull = createDiskCheck(
    "/nowhere",
    createLog(() => undefined),
    () => Promise.reject(new Error("no such folder")),
  );
  expect(await isDiskFull(true)).toBe(false);
});
