// Two commands must not install or build in the same folder at the same time.
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { root } from "./root.mjs";

const file = path.join(root, ".setup.lock");
const draft = `${file}.${process.pid}`;
const POLL_MS = 200;

/** Waits while another process holds the lock, then runs `work`. Exits if the folder isn't writable. */
export async function withSetupLock(work) {
  let isWaiting = false;
  while (!takeLock()) {
    const owner = readOwner();
    if (!isRunning(owner)) {
      removeLockOf(owner);
    } else {
      if (!isWaiting) console.error(`Waiting for process ${owner}, which is installing or building…`);
      isWaiting = true;
      await sleep(POLL_MS);
    }
  }
  const release = () => rmSync(file, { force: true });
  process.on("exit", release);
  try {
    await work();
  } finally {
    process.off("exit", release);
    release();
  }
}

/**
 * Removes the lock of a process that has ended. Only the process that holds the marker for this owner may do so, and it
 * reads the owner again: another process may have removed the lock and taken its own.
 */
function removeLockOf(owner) {
  const marker = `${file}.of-${owner}`;
  if (!takeLock(marker)) {
    if (!isRunning(readOwner(marker))) rmSync(marker, { force: true });
    return;
  }
  if (readOwner() === owner) rmSync(file, { force: true });
  rmSync(marker, { force: true });
}

function takeLock(lock = file) {
  try {
    // A link appears together with its content. Another process never reads an empty file.
    writeFileSync(draft, `${process.pid}\n`);
    linkSync(draft, lock);
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    console.error(
      error.code === "ENOSPC"
        ? "The disk is full: free 1 GB, then run the command again."
        : `The folder ${path.resolve(root)} is not writable (${error.code}), so nothing can be installed or built there: make it writable for you, or copy Techfolio to another folder.`,
    );
    return process.exit(1);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Returns 0 for a missing or unreadable lock. */
function readOwner(lock = file) {
  try {
    return Number(readFileSync(lock, "utf8")) || 0;
  } catch {
    return 0;
  }
}

function isRunning(pid) {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process exists, but belongs to another user.
    return error.code === "EPERM";
  }
}
