import { readdir } from "node:fs/promises";
import { expect, test } from "vitest";
import { startHere, temporaryFolder } from "../support/process.ts";
import { launchSite } from "../support/site-process.ts";

test.each([
  ["while initdb creates the database", /^\.new-\w+\/postgres\/PG_VERSION$/],
  ["while PostgreSQL starts", /^postgres\/postmaster\.pid$/],
  // The site creates its keys just before it runs the migrations.
  ["during the migrations", /^keys\.json$/],
])("a site starts after its first start was killed %s", async (_moment, file) => {
  const dataDir = await temporaryFolder();
  const killed = await launchSite({ DATA_DIR: dataDir, SEED: "none" });
  await expect
    .poll(() => readdir(dataDir, { recursive: true }), { interval: 5, timeout: 10_000 })
    .toContainEqual(expect.stringMatching(file));
  expect(await killed.end("SIGKILL")).toEqual({ code: null, signal: "SIGKILL" });
  const next = await startHere({ DATA_DIR: dataDir, SEED: "none" });
  expect((await fetch(`${next.url}/readyz`)).status).toBe(200);
});
