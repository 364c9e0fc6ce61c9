import { expect, onTestFinished, test, vi } from "vitest";
import { createThrottle } from "./throttle.ts";

test("one failure of each kind is logged per second, and the next one counts those that were omitted", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const throttle = createThrottle();
  expect(["a", "b", "a", "a"].map(throttle)).toEqual([0, 0, undefined, undefined]);
  vi.advanceTimersByTime(1_000);
  expect(["a", "a", "b"].map(throttle)).toEqual([2, undefined, 0]);
});
