import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { StartError } from "../../config/start-error.ts";

/** The account that PostgreSQL runs as in place of root. */
export interface Account {
  uid: number;
  gid: number;
}

/** A program with its arguments, and what `spawn` has to know to run it as the account. */
export interface Command {
  program: string;
  args: string[];
  options: Partial<Account>;
}

const accounts = ["postgres", "nobody"];
const setpriv = ["/usr/bin/setpriv", "/bin/setpriv"];

/**
 * Takes the database's folder, returns the account to run PostgreSQL as: its owner where it exists, otherwise
 * the first known unprivileged account. Undefined when this process is not root and runs it as itself, since
 * PostgreSQL refuses only root. Throws StartError.
 */
export function chooseAccount(folder: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const owner = statSync(folder, { throwIfNoEntry: false });
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const lines = readFileSync("/etc/passwd", "utf8").split("\n");
  for (const name of accounts) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(":") ?? [];
    if (Number(uid) > 0 && Number(gid) > 0) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new StartError(
    "PostgreSQL refuses to run as root, and there is neither an account `postgres` nor `nobody` to run it as: start Techfolio as another user.",
  );
}

/**
 * Takes a program, its arguments, the account and the paths it must reach, returns how to run it. Where one of
 * the paths lies below a folder that only root may enter (/root is one), the program keeps the one right to
 * pass through, and no other. Throws StartError.
 */
export function runAs(
  account: Account | undefined,
  program: string,
  args: string[],
  paths: string[],
): Command {
  if (account === undefined) return { program, args, options: {} };
  const closed = [program, ...paths].find((each) => !canReach(account, each));
  if (closed === undefined) return { program, args, options: account };

  const tool = setpriv.find((each) => statSync(each, { throwIfNoEntry: false }) !== undefined);
  const capability = passCapability();
  if (tool === undefined || capability === undefined) {
    throw new StartError(
      `PostgreSQL refuses to run as root, and no other account may enter ${path.dirname(closed)}: start Techfolio as another user, or move it and DATA_DIR.`,
    );
  }
  return {
    program: tool,
    args: [
      `--reuid=${account.uid}`,
      `--regid=${account.gid}`,
      "--clear-groups",
      // Otherwise access(2), by which its programs look for each other, leaves the right out of account for
      // whoever is not root (capabilities(7), SECBIT_NO_SETUID_FIXUP).
      "--securebits=+no_setuid_fixup",
      `--inh-caps=+${capability}`,
      `--ambient-caps=+${capability}`,
      "--",
      program,
      ...args,
    ],
    options: {},
  };
}

/** Whether the account may pass through every folder above the path. */
function canReach(account: Account, target: string): boolean {
  for (let folder = path.dirname(target); ; folder = path.dirname(folder)) {
    const found = statSync(folder, { throwIfNoEntry: false });
    if (found !== undefined) {
      const bit = found.uid === account.uid ? 0o100 : found.gid === account.gid ? 0o010 : 0o001;
      if ((found.mode & bit) === 0) return false;
    }
    if (folder === path.dirname(folder)) return true;
  }
}

/** The weakest capability this process may hand on that opens folders for passing through (capabilities(7)). */
function passCapability(): "dac_read_search" | "dac_override" | undefined {
  const status = statSync("/proc/self/status", { throwIfNoEntry: false });
  if (status === undefined) return undefined;
  const line = /^CapPrm:\s*([0-9a-f]+)$/m.exec(readFileSync("/proc/self/status", "utf8"));
  const permitted = BigInt(`0x${line?.[1] ?? "0"}`);
  if ((permitted & (1n << 2n)) !== 0n) return "dac_read_search";
  return (permitted & (1n << 1n)) !== 0n ? "dac_override" : undefined;
}
