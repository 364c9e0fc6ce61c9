import { constants, existsSync } from "node:fs";
import { access, readFile } from "node:fs/promises";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { checkDataDir } from "../../config/data-directory.ts";
import type { Settings } from "../../config/settings.ts";
import { StartError } from "../../config/start-error.ts";
import { freeBytes, leastFree } from "../../http/free-space.ts";
import type { Answer } from "./address.ts";
import { type Finding, ok, problem } from "./finding.ts";

// Here the operator still has time to act; below `leastFree` writing ends.
const scarce = 4 * leastFree;
const mega = 1_000_000;

/** Takes the settings and who answers at their port, returns whether the data directory can be used. Changes nothing. */
export async function checkDataDirectory({ dataDir }: Settings, answer: Answer): Promise<Finding[]> {
  const folder = nearest(dataDir);
  const isThere = folder === dataDir;
  if (isThere) await checkDataDir(dataDir);
  else await access(folder, constants.W_OK | constants.X_OK).catch(() => refuse(dataDir, folder));
  const rights = isThere ? "can be read and written" : "will be made by the first start";
  const findings = [ok("rights", `DATA_DIR ${dataDir} ${rights}.`), judgeSpace(await freeBytes(folder))];
  if (answer === "nobody" && isLocked(dataDir)) findings.push(await runsElsewhere(dataDir));
  return findings;
}

function nearest(folder: string): string {
  return existsSync(folder) ? folder : nearest(path.dirname(folder));
}

function refuse(dataDir: string, folder: string): never {
  throw new StartError(
    `DATA_DIR ${dataDir} cannot be made, because this user may not write in ${folder}: make it for him, or set another DATA_DIR.`,
  );
}

/** Takes how many bytes are free, returns whether that is enough. */
export function judgeSpace(free: number): Finding {
  const text = `${Math.floor(free / mega)} MB are free where DATA_DIR lies`;
  if (free >= scarce) return ok("disk", `${text}.`);
  const effect = free < leastFree ? "writes are refused" : "writes will be refused soon";
  return problem("disk", `Only ${text}: ${effect}. Make room, or move DATA_DIR.`);
}

/** Whether a server has the directory: then its lock cannot even be read (server/postgres/embedded/lock.ts). */
function isLocked(dataDir: string): boolean {
  const file = path.join(dataDir, "server.lock");
  if (!existsSync(file)) return false;
  const lock = new DatabaseSync(file, { readOnly: true });
  try {
    lock.prepare("select count(*) from sqlite_schema").get();
    return false;
  } catch {
    return true;
  } finally {
    lock.close();
  }
}

async function runsElsewhere(dataDir: string): Promise<Finding> {
  const pid = (await readFile(path.join(dataDir, "server.pid"), "utf8").catch(() => "unknown")).trim();
  return problem(
    "port",
    `A Techfolio (process ${pid}) runs on DATA_DIR ${dataDir}, but not at PORT and HOST of these settings: set them as it has them, or stop it.`,
  );
}
