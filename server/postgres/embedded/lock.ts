import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StartError } from "../../config/start-error.ts";

/** SQLite's file lock ends with the process; a file that merely exists would outlive a crash. Throws StartError. */
export function lockDataDir(dataDir: string): () => void {
  const owner = path.join(dataDir, "server.pid");
  const lock = new DatabaseSync(path.join(dataDir, "server.lock"));
  try {
    lock.exec("pragma busy_timeout = 0; pragma locking_mode = exclusive; begin exclusive");
  } catch {
    lock.close();
    throw new StartError(
      `Another Techfolio (process ${readOwner(owner)}) is already running on DATA_DIR ${dataDir}: stop it first, or set another DATA_DIR.`,
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
