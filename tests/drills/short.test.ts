import { expect, test } from "vitest";
import { drills } from "./drills.ts";
import { canMount } from "./full-disk.ts";

// `npm test` leaves these drills out. It already runs the test files that hostile-content and migrations start, and has
// shorter tests of what the others check. "restart" needs Caddy, and "dependencies" queries the npm registry.
const WITHOUT_A_SHORT_FORM = new Set([
  "hostile-content",
  "migrations",
  "dependencies",
  "sign-in",
  "restart",
  "pages",
  "attacks",
  "crash",
  "stop",
  "one-member",
  "identities",
  "backup",
  "upgrade",
  "large-upgrade",
  "release",
  "container",
  "guide",
]);

for (const { name, title, run } of drills.filter((drill) => !WITHOUT_A_SHORT_FORM.has(drill.name))) {
  // The drill "full-disk" mounts a disk, which requires root and is forbidden in most containers.
  test.skipIf(name === "full-disk" && !canMount())(
    `the drill "${name}" meets its goals in its short form: ${title}`,
    async () => {
      const missed = (await run("short"))
        .filter(({ ok }) => !ok)
        .map(({ goal, measured }) => `${goal}: ${measured}`);
      expect(missed.join("\n")).toBe("");
    },
    60_000,
  );
}
