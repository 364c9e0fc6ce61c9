import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { createLog } from "../../http/log.ts";
import { startPostgres } from "./embedded-postgres.ts";

test("a failed start removes the temporary folder that contains the socket if the path of DATA_DIR is long", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "techfolio-start-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const temporary = path.join(folder, "tmp");
  const dataDir = path.join(folder, "d".repeat(100));
  await mkdir(temporary);
  await mkdir(path.join(dataDir, "postgres"), { recursive: true });
  await writeFile(path.join(dataDir, "postgres/PG_VERSION"), "18\n");
  await writeFile(path.join(dataDir, "postgres.password"), "x");
  vi.stubEnv("TMPDIR", temporary);
  onTestFinished(() => void vi.unstubAllEnvs());
  const log = createLog(() => undefined);
  await expect(startPostgres(dataDir, log)).rejects.toThrow("PostgreSQL did not start");
  expect(await readdir(temporary)).toEqual([]);
});
