import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rename } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { createLog } from "../../server/http/log.ts";
import { startPostgres } from "../../server/postgres/embedded/embedded-postgres.ts";
import { migrate } from "../../server/postgres/migrations.ts";
import { newDataDir } from "./data-dir.ts";
import { NODE } from "./node.ts";

const run = promisify(execFile);
const FOLDER = "TEST_CLUSTER_FOLDER";
const CLEANUP = path.join(import.meta.dirname, "clean-up.ts");

/**
 * Global setup for vitest and Playwright. Creates a temporary folder for everything that the run creates, and one for the
 * database templates that all its workers share. A program removes the folder and ends the databases in it when the run
 * ends, even if it is killed.
 */
export default async function prepareRun(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(tmpdir(), "techfolio-run-"));
  // If root runs the tests, PostgreSQL runs as another account, which must be able to enter the folder.
  await chmod(folder, 0o755);
  process.env["TMPDIR"] = folder;
  // scripts/test.mjs sets it, so that its runs share their templates.
  process.env[FOLDER] ??= path.join(folder, "clusters");
  await mkdir(process.env[FOLDER], { recursive: true, mode: 0o700 });
  const cleanup = spawn(NODE, ["--disable-warning=ExperimentalWarning", CLEANUP, folder], {
    // It must outlive this process, which Ctrl+C ends together with all others in its group.
    detached: true,
    stdio: ["pipe", "ignore", "inherit"],
  });
  cleanup.unref();
  return async () => {
    cleanup.ref();
    const ended = once(cleanup, "exit");
    cleanup.stdin.end();
    await ended;
  };
}

/** Returns a data directory with a migrated, empty database: a copy of a template, which saves a second of CPU time. */
export async function newClusterDir(emptyFolder?: string): Promise<string> {
  const dataDir = emptyFolder ?? (await newDataDir());
  // `npm run drill` has no folder for templates. The directory stays empty, and the site creates its database in it.
  if (process.env[FOLDER]) await makeOnce("embedded", dataDir, () => initialize(dataDir));
  return dataDir;
}

/**
 * Fills `folder`: the first call with a name runs `make`, and later calls in the same run copy its result. If there is
 * no folder for templates, every call runs `make`.
 */
export async function makeOnce(name: string, folder: string, make: () => Promise<void>): Promise<void> {
  const shared = process.env[FOLDER];
  if (shared === undefined) return make();
  const template = path.join(shared, name);
  if (existsSync(template)) return copy(template, folder);
  await make();
  const unfinished = await mkdtemp(path.join(shared, "unfinished-"));
  await copy(folder, unfinished);
  // Renaming fails if another worker has finished the template first. Later calls then copy that worker's template.
  await rename(unfinished, template).catch(() => undefined);
}

/** Preserves the files' owner: if root runs the tests, PostgreSQL runs as another account, which must own them. */
async function copy(from: string, to: string): Promise<void> {
  await run("cp", ["-a", `${from}/.`, to]);
}

async function initialize(dataDir: string): Promise<void> {
  const postgres = await startPostgres(
    dataDir,
    createLog(() => undefined),
  );
  const owner = await postgres.connect();
  await migrate(owner);
  await owner.end();
  await postgres.stop();
}
