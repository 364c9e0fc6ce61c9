import { execFile } from "node:child_process";
import { chown, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { userInfo } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { flushFolder } from "../../config/data-directory.ts";
import { errorMessage } from "../../config/error-message.ts";
import { OperatorError } from "../../config/operator-error.ts";
import { type Account, dataArgument } from "./account.ts";
import { type Binaries, BUNDLED_VERSION } from "./binaries.ts";

const run = promisify(execFile);
const TEMPORARY_PREFIX = ".new-";
/**
 * pg_trgm asks the C library which characters are letters. Linux has the first of these locales, and macOS the second.
 * On a system that has neither, searches for non-ASCII letters cannot use the indexes.
 */
const CTYPES = ["C.UTF-8", "UTF-8"];

/** The environment for PostgreSQL's programs. It contains no secrets, and keeps their messages in English. */
export const POSTGRES_ENVIRONMENT = { PATH: process.env["PATH"] ?? "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };

export async function clusterExists(folder: string): Promise<boolean> {
  const version = await readFile(path.join(folder, "PG_VERSION"), "utf8").catch(() => undefined);
  if (version === undefined) {
    const files = await readdir(folder).catch(() => []);
    if (files.length === 0) return false;
    throw new OperatorError(
      `The database in ${folder} is damaged (its file PG_VERSION is missing): restore a backup into another DATA_DIR.`,
    );
  }
  const major = Number.parseInt(version, 10);
  if (major === BUNDLED_VERSION) return true;
  throw new OperatorError(
    major > BUNDLED_VERSION
      ? `The database in ${folder} was created by the newer PostgreSQL ${major}, but this release of Techfolio includes PostgreSQL ${BUNDLED_VERSION}: update Techfolio, or set another DATA_DIR.`
      : `The database in ${folder} was created by PostgreSQL ${version.trim()}, but this release of Techfolio includes PostgreSQL ${BUNDLED_VERSION}: restore a backup into another DATA_DIR.`,
  );
}

export async function createCluster(folder: string, password: string, binaries: Binaries, account?: Account) {
  // Use a new folder each time: if an earlier start was killed, its initdb may still be writing to its own folder.
  const temporary = await mkdtemp(path.join(path.dirname(folder), TEMPORARY_PREFIX));
  const newCluster = path.join(temporary, "postgres");
  try {
    await mkdir(newCluster, { mode: 0o700 });
    // Pass the password in a file, because other users of the machine can see a process's arguments.
    await writeFile(path.join(temporary, "password"), password, { mode: 0o600 });
    if (account !== undefined) {
      for (const owned of [temporary, newCluster, path.join(temporary, "password")]) {
        await chown(owned, account.uid, account.gid);
      }
    }
    await initialize(newCluster, binaries, account, temporary);
    await rename(newCluster, folder);
    await flushFolder(path.dirname(folder));
  } catch (error) {
    if (/could not look up effective user ID/.test(errorMessage(error))) {
      throw new OperatorError(
        `The user ${process.getuid?.()} has no entry in /etc/passwd, without which PostgreSQL creates no database: install libnss-wrapper, add an entry, start Techfolio as another user, or set DATABASE_URL.`,
      );
    }
    throw new OperatorError(
      `The database could not be created in ${folder}: ${firstErrorLine(errorMessage(error))}`,
    );
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

export async function removeUnfinishedClusters(dataDir: string): Promise<void> {
  const unfinished = (await readdir(dataDir)).filter((name) => name.startsWith(TEMPORARY_PREFIX));
  for (const name of unfinished) {
    // Ignore errors: the initdb of a killed start may still be writing. The next start removes the rest.
    await rm(path.join(dataDir, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

async function initialize(
  newCluster: string,
  binaries: Binaries,
  account: Account | undefined,
  temporary: string,
) {
  const args = [
    `--pgdata=${dataArgument(newCluster, account)}`,
    `--pwfile=${path.join("..", "password")}`,
    "--username=postgres",
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    "--locale=C",
    // Makes case conversion follow Unicode on every operating system.
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--data-checksums",
  ];
  const env = { ...POSTGRES_ENVIRONMENT, ...(await nameOfUser(temporary)) };
  const options = { ...account, env, cwd: newCluster };
  for (const ctype of CTYPES) {
    try {
      return await run(binaries.initdb, [...args, `--lc-ctype=${ctype}`], options);
    } catch (error) {
      if (!/invalid locale name/.test(errorMessage(error))) throw error;
    }
  }
  return run(binaries.initdb, args, options);
}

/**
 * Platforms such as OpenShift run containers as users without an entry in /etc/passwd, which initdb requires. Returns
 * the environment in which libnss_wrapper supplies one, or nothing if the user has an entry.
 */
async function nameOfUser(temporary: string): Promise<Record<string, string>> {
  try {
    userInfo();
    return {};
  } catch {
    const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
    const [passwd, group] = [path.join(temporary, "passwd"), path.join(temporary, "group")];
    await writeFile(passwd, `techfolio:x:${uid}:${gid}::/:/usr/sbin/nologin\n`);
    await writeFile(group, `techfolio:x:${gid}:\n`);
    // Without the library, the loader prints a message and starts the program without it.
    return { LD_PRELOAD: "libnss_wrapper.so", NSS_WRAPPER_PASSWD: passwd, NSS_WRAPPER_GROUP: group };
  }
}

export function firstErrorLine(output: string): string {
  const lines = output.trim().split("\n");
  return (lines.find((line) => /\b(error|FATAL|PANIC):/.test(line)) ?? lines.at(-1) ?? "").trim();
}
