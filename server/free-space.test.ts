import { expect, onTestFinished, test, vi } from "vitest";
import { watchFreeSpace } from "./free-space.ts";
import { createLog } from "./log.ts";

const MB = 1024 * 1024;

test("notices that a disk fills up and that it has space again, and says each once", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let free = 500 * MB;
  const lines: string[] = [];
  const log = createLog((line) => lines.push(line));
  const watch = watchFreeSpace("/data", log, async () => free);
  onTestFinished(() => watch.stop());
  await vi.advanceTimersByTimeAsync(1_000);
  expect(watch.isShort()).toBe(false);
  free = 63 * MB;
  await vi.advanceTimersByTimeAsync(2_000);
  expect(watch.isShort()).toBe(true);
  free = 400 * MB;
  await vi.advanceTimersByTimeAsync(2_000);
  expect(watch.isShort()).toBe(false);
  expect(lines.map((line) => JSON.parse(line).level)).toEqual(["error", "info"]);
});

test("holds nothing against a disk that cannot be asked", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const watch = watchFreeSpace(
    "/data",
    createLog(() => undefined),
    () => Promise.reject(new Error("no")),
  );
  onTestFinished(() => watch.stop());
  await vi.advanceTimersByTimeAsync(1_000);
  expect(watch.isShort()).toBe(false);
});
