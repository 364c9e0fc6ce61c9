import { describe, expect, it } from "vitest";
import { createQueue } from "./queue.ts";

class FullError extends Error {}

const full = () => new FullError();

describe("the queue", () => {
  it("runs so many at once, in order, and refuses what is too much", async () => {
    const queued = createQueue(2, 3, full);
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    const started: number[] = [];
    const work = (number: number) =>
      queued(async () => {
        started.push(number);
        await opened;
        return number;
      });
    const accepted = [1, 2, 3, 4, 5].map(work);
    await expect(work(6)).rejects.toBeInstanceOf(FullError);
    expect(started).toEqual([1, 2]);
    open();
    expect(await Promise.all(accepted)).toEqual([1, 2, 3, 4, 5]);
    expect(started).toEqual([1, 2, 3, 4, 5]);
    expect(await work(7)).toBe(7);
  });

  it("goes on after work that fails", async () => {
    const queued = createQueue(1, 1, full);
    const failing = queued(() => Promise.reject(new Error("on purpose")));
    const next = queued(async () => "next");
    await expect(failing).rejects.toThrow("on purpose");
    expect(await next).toBe("next");
    expect(await queued(async () => "again")).toBe("again");
  });
});
