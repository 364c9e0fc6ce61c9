import { expect } from "vitest";

const RUNS = 3;
const FACTOR = 8;

function cpuMs(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/**
 * Fails if the work for a text of `length` characters grows with the square of its length. Compares the CPU time for
 * the text with that for an eighth of it, so that the machine's speed doesn't matter.
 * @param textOf Returns a text of about this many characters.
 */
export function expectLinearWork(
  length: number,
  textOf: (length: number) => string,
  run: (text: string) => unknown,
) {
  const whole = textOf(length);
  const part = textOf(length / FACTOR);
  const fastest = (text: string) => Math.min(...Array.from({ length: RUNS }, () => cpuMs(() => run(text))));
  // Work of less than a millisecond can't be measured.
  const growth = fastest(whole) / Math.max(1, fastest(part));
  expect(growth, `growth of the work for ${FACTOR} times the text`).toBeLessThan((FACTOR * FACTOR) / 2);
}
