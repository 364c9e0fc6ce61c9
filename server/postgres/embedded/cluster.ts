import { execFile } from "node:child_process";
import { chown, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { StartError } from "../../config/start-error.ts";
import { type Account, runAs } from "./account.ts";
import { type Binaries, bundledVersion } from "./binaries.ts";

const run = promisify(execFile);

/** The environment of PostgreSQL's programs: no secret of ours, and messages that can be read by a program. */
export const environment = { PATH: process.env.PATH ?? "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };

/**
 * Takes the folder of a database cluster, returns whether it exists. Throws StartError when it was made by
 * another major version of PostgreSQL.
 */
export async function clusterExists(folder: string): Promise<boolean> {
  const version = await readFile(path.join(folder, "PG_VERSION"), "utf8").catch(() => undefined);
  if (version === undefined) return false;
  const major = Number.parseInt(version, 10);
  if (major === bundledVersion) return true;
  throw new StartError(
    major > bundledVersion
      ? `The database in ${folder} was made by the newer PostgreSQL ${major}; this Techfolio brings PostgreSQL ${bundledVersion}: update Techfolio, or set another DATA_DIR.`
      : `The database in ${folder} was made by PostgreSQL ${version.trim()}; this Techfolio brings PostgreSQL ${bundledVersion}: restore a backup into another DATA_DIR.`,
  );
}

/**
 * Takes where a cluster shall be, the superuser's password and the account that shall own it, creates it. It
 * appears in its place only when it is complete, so that a crash on the way leaves nothing half made.
 */
export async function createCluster(
  folder: string,
  password: string,
  binaries: Binaries,
  account: Account | undefined,
): Promise<void> {
  const draft = `${folder}.new`;
  const passwordFile = `${folder}.new.password`;
  await rm(draft, { recursive: true, force: true });
  // A file, because arguments and environment show in the process list.
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (account !== undefined) await chown(passwordFile, account.uid, account.gid);
  const { program, args, options } = runAs(
    account,
    binaries.initdb,
    [
      `--pgdata=${draft}`,
      `--pwfile=${passwordFile}`,
      "--username=postgres",
      "--auth=scram-sha-256",
      "--encoding=UTF8",
      // Cases and order as Unicode has them, the same on every machine and independent of its libraries; each
      // letter by itself, as the search in the browser and the libraries of other servers have it (foldCase).
      "--locale=C",
      "--locale-provider=builtin",
      "--builtin-locale=C.UTF-8",
      "--data-checksums",
    ],
    [draft],
  );
  try {
    await run(program, args, { ...options, env: environment, cwd: path.dirname(folder) });
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    const said = error instanceof Error && "stderr" in error ? String(error.stderr) : "";
    throw new StartError(
      `The database could not be created in ${folder}: ${complaint(said) || String(error)}`,
    );
  } finally {
    await rm(passwordFile, { force: true });
  }
  await rename(draft, folder);
}

/** Takes what one of PostgreSQL's programs has said, returns the reason why it gave up. */
export function complaint(said: string): string {
  const lines = said.trim().split("\n");
  return (lines.find((line) => /\b(error|FATAL|PANIC):/.test(line)) ?? lines.at(-1) ?? "").trim();
}
