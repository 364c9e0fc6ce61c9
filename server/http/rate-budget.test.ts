import { expect, onTestFinished, test, vi } from "vitest";
import { createRateBudget } from "./rate-budget.ts";

test("a client that has sent its share gets 429 until enough is refilled, and other clients are served", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const budget = createRateBudget({ bytes: 1_000, bytesPerSecond: 100 });
  budget.take("eve", 900);
  expect(() => budget.take("eve", 500)).toThrow(
    expect.objectContaining({ status: 429, retryAfterSeconds: 4 }),
  );
  budget.take("ada", 1_000);
  vi.advanceTimersByTime(4_000);
  budget.take("eve", 500);
  vi.advanceTimersByTime(3_600_000);
  expect(() => budget.take("eve", 1_001)).toThrow();
  budget.take("eve", 1_000);
});

test("a share is refilled by exactly its bytes per second, from the last time that the client sent something", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  vi.advanceTimersByTime(1_000_000);
  const budget = createRateBudget({ bytes: 1_000, bytesPerSecond: 100 });
  budget.take("eve", 1_000);
  vi.advanceTimersByTime(1_500);
  expect(() => budget.take("eve", 151)).toThrow(expect.objectContaining({ retryAfterSeconds: 1 }));
  budget.take("eve", 150);
  expect(() => budget.take("eve", 1)).toThrow(expect.objectContaining({ retryAfterSeconds: 1 }));
  vi.advanceTimersByTime(1_000);
  budget.take("eve", 100);
});
