import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { StartError } from "../../config/start-error.ts";

/** The account that PostgreSQL runs as in place of root. */
export interface Account {
  uid: number;
  gid: number;
}

const ACCOUNTS = ["postgres", "nobody"];

/**
 * The owner of the database's folder where it exists, otherwise the first known unprivileged account. Undefined when
 * this process is not root: PostgreSQL, which refuses only root, then runs as its user. Throws StartError.
 */
export function chooseAccount(folder: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const owner = statSync(folder, { throwIfNoEntry: false });
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const lines = readFileSync("/etc/passwd", "utf8").split("\n");
  for (const name of ACCOUNTS) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(":") ?? [];
    if (Number(uid) > 0 && Number(gid) > 0) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new StartError(
    "PostgreSQL refuses to run as root, and there is neither an account `postgres` nor `nobody` to run it as: start Techfolio as another user.",
  );
}

/**
 * How PostgreSQL's programs name the data directory that they are started in. An account that may not pass through
 * the folders above it (/root is one) still reaches its working directory, which root has entered for it.
 */
export function dataArgument(folder: string, account: Account | undefined): string {
  return account !== undefined && process.platform === "linux" ? "/proc/self/cwd" : folder;
}

/** Whether the account may pass through every folder above the file. */
export function canReach(account: Account, file: string): boolean {
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    const { uid, gid, mode } = statSync(folder);
    const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) return false;
    if (folder === path.dirname(folder)) return true;
  }
}
