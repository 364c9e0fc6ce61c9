import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync, realpathSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { OperatorError } from "../../config/operator-error.ts";

// Twice the time that PostgreSQL gives its own processes before it kills them.
const PATIENCE_MS = 10_000;

/** Stops the PostgreSQL of a killed server. Call it only with the data directory locked. Throws OperatorError. */
export async function stopLeftover(folder: string): Promise<void> {
  const file = path.join(folder, "postmaster.pid");
  const pid = Number.parseInt(await readFile(file, "utf8").catch(() => ""), 10);
  if (pid > 1 && isPostgresOf(pid, folder)) await stop(pid, folder);
  // After a reboot or in a new container, another process may have this id, and PostgreSQL would refuse to start.
  await rm(file, { force: true });
}

function isPostgresOf(pid: number, folder: string): boolean {
  try {
    if (process.platform === "linux") {
      // PostgreSQL's working directory is its data directory. Check the name too: a shell may be there as well.
      const isPostgres = readFileSync(`/proc/${pid}/comm`, "utf8").startsWith("postgres");
      return isPostgres && readlinkSync(`/proc/${pid}/cwd`) === realpathSync(folder);
    }
    return execFileSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" }).includes(folder);
  } catch {
    return false;
  }
}

async function stop(pid: number, folder: string): Promise<void> {
  try {
    // Immediate shutdown (PostgreSQL, 'Shutting Down the Server'): the next start recovers.
    process.kill(pid, "SIGQUIT");
  } catch {
    // It has already exited, or we may not stop it.
  }
  // Check the process's identity rather than its existence: a zombie stays in the process table.
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await sleep(20)) {
    if (!isPostgresOf(pid, folder)) return;
  }
  throw new OperatorError(`PostgreSQL (process ${pid}) is still running on ${folder} and does not stop.`);
}
