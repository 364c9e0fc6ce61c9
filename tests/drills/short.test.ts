import { expect, test } from "vitest";
import { drills } from "./drills.ts";
import { mayMount } from "./full-disk.ts";

// These drills run other test files, repeat one at length (crash, backup, sign-in), or ask the npm registry.
const WITHOUT_A_SHORT_FORM = new Set([
  "hostile-content",
  "migrations",
  "dependencies",
  "sign-in",
  "crash",
  "backup",
]);

for (const { name, title, run } of drills.filter((drill) => !WITHOUT_A_SHORT_FORM.has(drill.name))) {
  // This drill mounts a disk, which requires root.
  test.skipIf(name === "full-disk" && !mayMount())(
    `drill meets its goals in the short form: ${title}`,
    async () => {
      const missed = (await run("short"))
        .filter(({ ok }) => !ok)
        .map(({ goal, measured }) => `${goal}: ${measured}`);
      expect(missed).toEqual([]);
    },
    60_000,
  );
}
