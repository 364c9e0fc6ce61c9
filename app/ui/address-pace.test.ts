import { expect, test } from "vitest";
import { createPace } from "./address-pace.ts";

test("a held key changes the address fewer than a hundred times in any thirty seconds", () => {
  const pace = createPace();
  const changes: number[] = [];
  for (let now = 0; now < 120_000; ) {
    const delay = pace(now);
    if (delay === 0) changes.push(now);
    now += delay || 16;
  }
  for (const start of changes) {
    expect(changes.filter((time) => time >= start && time < start + 30_000).length).toBeLessThan(100);
  }
});

test("keys that are typed one by one never wait", () => {
  const pace = createPace();
  for (let key = 0; key < 35; key++) expect(pace(key * 120)).toBe(0);
});
