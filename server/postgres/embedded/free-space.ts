import { statfs } from "node:fs/promises";
import { OperatorError } from "../../config/operator-error.ts";
import type { Log } from "../../http/log.ts";

const MB = 1024 * 1024;
// PostgreSQL stops completely if it cannot write its WAL, which grows by 16 MB at a time.
const LEAST_FREE_BYTES = 64 * MB;
const CHECK_LIFETIME_MS = 1_000;

/** Returns a function that resolves to true if writes must be rejected. Checks the disk at most once a second. */
export function createDiskCheck(folder: string, log: Log, readFreeBytes = freeBytes) {
  let isFull = false;
  let check: Promise<boolean> | undefined;

  async function measure(): Promise<boolean> {
    // A failed check is no reason to reject writes.
    const free = await readFreeBytes(folder).catch(() => Number.POSITIVE_INFINITY);
    const wasFull = isFull;
    isFull = free < LEAST_FREE_BYTES;
    if (isFull && !wasFull) log.error({ folder, free, leastFree: LEAST_FREE_BYTES }, "disk.full");
    if (!isFull && wasFull) log.info({ folder, free }, "disk.freed");
    return isFull;
  }

  return function isDiskFull(): Promise<boolean> {
    if (check === undefined) {
      check = measure();
      setTimeout(() => {
        check = undefined;
      }, CHECK_LIFETIME_MS).unref();
    }
    return check;
  };
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

export async function checkFreeSpace(folder: string): Promise<void> {
  const free = await freeBytes(folder);
  if (free >= LEAST_FREE_BYTES) return;
  throw new OperatorError(
    `Only ${Math.floor(free / MB)} MB are free in DATA_DIR ${folder}, and writes are refused: free some space, or move DATA_DIR.`,
  );
}
