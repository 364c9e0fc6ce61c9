import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { atMostEvery } from "./throttle.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("the first time is at once", () => {
  const work = vi.fn();
  atMostEvery(250, work)();
  expect(work).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(10_000);
  expect(work).toHaveBeenCalledTimes(1);
});

test("what comes while it rests is done once, at the end of the rest", () => {
  const work = vi.fn();
  const ask = atMostEvery(250, work);
  for (let time = 0; time < 100; time++) ask();
  vi.advanceTimersByTime(249);
  expect(work).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1);
  expect(work).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(10_000);
  expect(work).toHaveBeenCalledTimes(2);
});

test("a second of constant asking costs five times, and the last asking is never lost", () => {
  const work = vi.fn();
  const ask = atMostEvery(250, work);
  for (let time = 0; time < 1_000; time++) {
    ask();
    vi.advanceTimersByTime(1);
  }
  expect(work).toHaveBeenCalledTimes(5);
  ask();
  vi.advanceTimersByTime(250);
  expect(work).toHaveBeenCalledTimes(6);
});
