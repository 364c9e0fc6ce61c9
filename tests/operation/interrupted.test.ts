import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { postgresPid } from "../support/data-dir.ts";
import { startProcess, temporaryCluster, temporaryFolder } from "../support/process.ts";
import { launchSite } from "../support/site-process.ts";

const MOMENTS_MS = [150, 600, 1_200];

test.each(MOMENTS_MS)(
  "a site starts after its first start was killed within %i ms",
  async (moment) => {
    const dataDir = await temporaryFolder();
    const killed = await launchSite({ DATA_DIR: dataDir, SEED: "none" });
    await Promise.race([sleep(moment), killed.running()]);
    await killed.end("SIGKILL");
    const next = await startProcess({ DATA_DIR: dataDir, SEED: "none" });
    await next.running();
    expect((await fetch(`${next.url}/readyz`)).status).toBe(200);
  },
  30_000,
);

test("a site starts after its first start was killed during initdb", async () => {
  const dataDir = await temporaryFolder();
  const killed = await launchSite({ DATA_DIR: dataDir, SEED: "none" });
  await expect
    .poll(() => readdir(dataDir, { recursive: true }), { interval: 5, timeout: 10_000 })
    .toContainEqual(expect.stringMatching(/postgres\/PG_VERSION$/));
  await killed.end("SIGKILL");
  const next = await startProcess({ DATA_DIR: dataDir, SEED: "none" });
  await next.running();
});

test("a site starts even if the process ids in its lock files now belong to another process", async () => {
  const dataDir = await temporaryCluster();
  const killed = await launchSite({ DATA_DIR: dataDir, SEED: "none" });
  await killed.running();
  const postgres = await postgresPid(dataDir);
  const socketLock = path.join(dataDir, "postgres/run/.s.PGSQL.5432.lock");
  const files = [path.join(dataDir, "postgres/postmaster.pid"), socketLock];
  const contents = await Promise.all(files.map((file) => readFile(file, "utf8")));
  await killed.end("SIGKILL");
  process.kill(postgres, "SIGKILL");
  // Write this test's process id into the lock files, as if the system had reused PostgreSQL's after the crash.
  for (const [index, file] of files.entries()) {
    await writeFile(file, (contents[index] ?? "").replace(/^\d+/, String(process.pid)));
  }
  const next = await startProcess({ DATA_DIR: dataDir, SEED: "none" });
  await next.running();
  expect((await fetch(`${next.url}/readyz`)).status).toBe(200);
});
