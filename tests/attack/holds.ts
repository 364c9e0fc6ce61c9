import { expect, test } from "vitest";
import type { Drill } from "../drill/figure.ts";

/** Takes a drill, makes its short form a test: every figure is reached. */
export function holds(drill: Drill): void {
  test(`${drill.title}: the short drill reaches its figures`, async () => {
    const missed = (await drill.run("short")).filter(({ ok }) => !ok);
    expect(missed).toEqual([]);
  }, 60_000);
}
