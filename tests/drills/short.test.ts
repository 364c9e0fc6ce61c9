import { expect, test } from "vitest";
import { drills } from "./drills.ts";
import { mayMount } from "./full-disk.ts";

// They run other files of tests, do such a file's work at length (crash, backup, sign-in), or ask the registry.
const WITHOUT_A_SHORT_FORM = new Set([
  "hostile-content",
  "migrations",
  "dependencies",
  "sign-in",
  "crash",
  "backup",
]);

for (const { name, title, run } of drills.filter((drill) => !WITHOUT_A_SHORT_FORM.has(drill.name))) {
  // A disk to fill is mounted for it, which not every tester may.
  test.skipIf(name === "full-disk" && !mayMount())(
    `${title}: the short drill reaches its figures`,
    async () => {
      const missed = (await run("short"))
        .filter(({ ok }) => !ok)
        .map(({ asked, measured }) => `${asked}: ${measured}`);
      expect(missed).toEqual([]);
    },
    60_000,
  );
}
