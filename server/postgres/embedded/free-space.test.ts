import { expect, onTestFinished, test, vi } from "vitest";
import { createLog } from "../../http/log.ts";
import { createDiskCheck } from "./free-space.ts";

const MB = 1024 * 1024;

test("a disk with less than 64 MB of free space counts as full, which is logged once", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let free = 64 * MB;
  const lines: string[] = [];
  const log = createLog((line) => lines.push(line));
  const isDiskFull = createDiskCheck("/nowhere", log, async () => free);
  expect(await isDiskFull()).toBe(false);
  free = 63 * MB;
  vi.advanceTimersByTime(1_000);
  expect(await isDiskFull()).toBe(true);
  vi.advanceTimersByTime(1_000);
  expect(await isDiskFull()).toBe(true);
  free = 64 * MB;
  vi.advanceTimersByTime(1_000);
  expect(await isDiskFull()).toBe(false);
  expect(lines.map((line) => JSON.parse(line).level)).toEqual(["error", "info"]);
});

test("the disk's free space is read at most once a second", async () => {
  const read = vi.fn(async () => 500 * MB);
  const isDiskFull = createDiskCheck(
    "/nowhere",
    createLog(() => undefined),
    read,
  );
  for (let write = 0; write < 100; write++) await isDiskFull();
  expect(read).toHaveBeenCalledTimes(1);
});

test("a disk whose free space cannot be read does not count as full", async () => {
  const isDiskFull = createDiskCheck(
    "/nowhere",
    createLog(() => undefined),
    () => Promise.reject(new Error("no such folder")),
  );
  expect(await isDiskFull()).toBe(false);
});
