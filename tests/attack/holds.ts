import { expect, test } from "vitest";
import type { Drill } from "../drill/figure.ts";

/**
 * Takes a drill, makes its short form a test: every figure is reached, but for those whose name matches `except`,
 * which are for a machine that does nothing else.
 */
export function holds(drill: Drill, except?: RegExp): void {
  test(`${drill.title}: the short drill reaches its figures`, async () => {
    const missed = (await drill.run("short")).filter(({ ok, asked }) => !ok && !except?.test(asked));
    expect(missed.map(({ asked, measured }) => `${asked}: ${measured}`)).toEqual([]);
  }, 60_000);
}
