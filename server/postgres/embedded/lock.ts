import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { errorMessage } from "../../config/error-message.ts";
import { OperatorError } from "../../config/operator-error.ts";

const SQLITE_BUSY = 5;

/**
 * Locks DATA_DIR with SQLite's file lock, which ends with the process: a plain lock file would survive a crash. Returns
 * a function that unlocks it. Throws OperatorError.
 */
export function lockDataDir(dataDir: string): () => void {
  const owner = path.join(dataDir, "server.pid");
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(path.join(dataDir, "server.lock"));
    lock.exec("pragma busy_timeout = 0; pragma locking_mode = exclusive; begin exclusive");
  } catch (error) {
    lock?.close();
    const isBusy = error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;
    throw new OperatorError(
      isBusy
        ? `Another Techfolio (process ${readOwner(owner)}) is already running on DATA_DIR ${dataDir}: stop it first, or set another DATA_DIR.`
        : `DATA_DIR ${dataDir} cannot be locked with its file server.lock: ${errorMessage(error)}.`,
    );
  }
  writeFileSync(owner, `${process.pid}\n`, { mode: 0o600 });
  return () => lock.close();
}

function readOwner(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return "unknown";
  }
}
