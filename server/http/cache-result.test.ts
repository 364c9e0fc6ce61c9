import { expect, test, vi } from "vitest";
import { cacheResult } from "./cache-result.ts";

test("simultaneous and repeated calls share one read until the result expires", async () => {
  const read = vi.fn(async () => read.mock.calls.length > 1);
  const remembered = cacheResult(read, 50);
  expect(await Promise.all([remembered(), remembered()])).toEqual([false, false]);
  expect(await remembered()).toBe(false);
  expect(read).toHaveBeenCalledOnce();
  await expect.poll(remembered).toBe(true);
});

test("a failure is kept like a result", async () => {
  const read = vi.fn(() => Promise.reject(new Error("down")));
  const remembered = cacheResult(read, 60_000);
  await Promise.all([
    expect(remembered()).rejects.toThrow("down"),
    expect(remembered()).rejects.toThrow("down"),
  ]);
  await expect(remembered()).rejects.toThrow("down");
  expect(read).toHaveBeenCalledOnce();
});
