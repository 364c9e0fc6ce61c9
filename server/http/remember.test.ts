import { expect, test, vi } from "vitest";
import { remember } from "./remember.ts";

test("simultaneous and repeated calls share one read until the result expires", async () => {
  const read = vi.fn(async () => read.mock.calls.length > 1);
  const remembered = remember(read, 50);
  expect(await Promise.all([remembered(), remembered()])).toEqual([false, false]);
  expect(await remembered()).toBe(false);
  expect(read).toHaveBeenCalledOnce();
  await expect.poll(remembered).toBe(true);
});
