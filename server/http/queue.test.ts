import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createQueue } from "./queue.ts";

class FullError extends Error {}

const full = () => new FullError();

describe("the queue", () => {
  it("runs so many at once, in order, and refuses what is too much", async () => {
    const queue = createQueue({ atOnce: 2, mostWaiting: 3, longestWait: 60_000 }, full);
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    const started: number[] = [];
    const work = (number: number) =>
      queue.run(async () => {
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

  it("refuses what would wait too long, as soon as it knows how long its work takes", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const queue = createQueue({ atOnce: 1, mostWaiting: 1000, longestWait: 250 }, full);
    const work = async () => void vi.advanceTimersByTime(100);
    await queue.run(work);
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    // One runs, and three wait: 300 ms for the next one.
    const accepted = [1, 2, 3, 4].map(() => queue.run(() => opened));
    expect(queue.isFull()).toBe(true);
    await expect(queue.run(work)).rejects.toBeInstanceOf(FullError);
    open();
    await Promise.all(accepted);
    expect(queue.isFull()).toBe(false);
  });

  it("learns nothing of its pace from turns that come too late, nor from work that fails", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const queue = createQueue({ atOnce: 1, mostWaiting: 1000, longestWait: 250 }, full);
    await queue.run(async () => void vi.advanceTimersByTime(100));
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    const slow = queue.run(() => opened);
    const late = [1, 2, 3].map(() => queue.run(async () => "late"));
    vi.advanceTimersByTime(1000);
    open();
    await slow;
    for (const each of late) await expect(each).rejects.toBeInstanceOf(FullError);
    for (let count = 0; count < 10; count++) {
      await expect(queue.run(() => Promise.reject(new Error("on purpose")))).rejects.toThrow("on purpose");
    }
    // One runs, one waits, and the next would wait for as long as work takes by now: 280 ms.
    const { promise: openedAgain, resolve: openAgain } = Promise.withResolvers<void>();
    const accepted = [1, 2].map(() => queue.run(() => openedAgain));
    expect(queue.isFull()).toBe(true);
    openAgain();
    await Promise.all(accepted);
  });

  it("goes on after work that fails", async () => {
    const queue = createQueue({ atOnce: 1, mostWaiting: 1, longestWait: 60_000 }, full);
    const failing = queue.run(() => Promise.reject(new Error("on purpose")));
    const next = queue.run(async () => "next");
    await expect(failing).rejects.toThrow("on purpose");
    expect(await next).toBe("next");
    expect(await queue.run(async () => "again")).toBe("again");
  });
});
