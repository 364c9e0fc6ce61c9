import { execFile } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { promisify } from "node:util";
import { OperatorError } from "../../config/operator-error.ts";

export interface Account {
  uid: number;
  gid: number;
}

const ACCOUNTS = ["postgres", "nobody"];

/**
 * PostgreSQL refuses to run as root. If this process runs as root, returns the account to use for PostgreSQL: the
 * owner of `folder` unless that is root, and otherwise `postgres` or `nobody`. Throws OperatorError if neither exists.
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
  throw new OperatorError(
    "PostgreSQL refuses to run as root, and this machine has no account `postgres` or `nobody` to run it as: start Techfolio as another user.",
  );
}

/**
 * Returns the path of the data folder to pass to PostgreSQL, which must be started with `folder` as its working directory.
 * The account may be unable to enter a parent folder such as /root, but it can reach the folder through /proc/self/cwd.
 */
export function dataArgument(folder: string, account: Account | undefined): string {
  return account !== undefined && process.platform === "linux" ? "/proc/self/cwd" : folder;
}

export function canRun(account: Account, program: string): Promise<boolean> {
  return promisify(execFile)(program, ["--version"], { ...account, env: {} }).then(
    () => true,
    () => false,
  );
}
