import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync, realpathSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { OperatorError } from "../../config/operator-error.ts";

// Longer than PostgreSQL needs: after SIGQUIT, its main process waits 5 seconds for its child processes, and then kills
// them.
const STOP_TIMEOUT_MS = 10_000;

/**
 * Stops the PostgreSQL that a killed server left running. The caller must have locked DATA_DIR: otherwise, this could
 * stop the PostgreSQL of a running server. Throws OperatorError.
 */
export async function stopLeftover(folder: string): Promise<void> {
  const file = path.join(folder, "postmaster.pid");
  const pid = Number.parseInt(await readFile(file, "utf8").catch(() => ""), 10);
  if (pid > 1 && isPostgresOf(pid, folder)) await stop(pid, folder);
  // Remove the file in any case: PostgreSQL would refuse to start if another process now had the id in it, for example
  // after a reboot.
  await rm(file, { force: true });
}

function isPostgresOf(pid: number, folder: string): boolean {
  try {
    if (process.platform === "linux") {
      // PostgreSQL's working directory is its data directory. Check the name as well: a shell could be in that folder.
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
    // An immediate shutdown (PostgreSQL's manual, "Shutting Down the Server"). The next start recovers the data.
    process.kill(pid, "SIGQUIT");
  } catch {
    // The process has already exited, or we lack the permission to stop it.
  }
  // Don't just check whether the process id exists: a process that has exited keeps its id until its parent notices.
  for (const until = Date.now() + STOP_TIMEOUT_MS; Date.now() < until; await sleep(20)) {
    if (!isPostgresOf(pid, folder)) return;
  }
  throw new OperatorError(
    `PostgreSQL (process ${pid}) is still running on ${folder} and does not stop: end that process first.`,
  );
}
