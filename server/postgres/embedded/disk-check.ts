import { statfs } from "node:fs/promises";
import { LIMITS } from "../../config/limits.ts";
import { OperatorError } from "../../config/operator-error.ts";
import type { Log } from "../../http/log.ts";

const MB = 1024 * 1024;

// Requests are rejected before the disk is full, because PostgreSQL stops completely if it cannot write its WAL, which
// grows by 16 MB at a time. The second, lower reserve is left for sign-ins and for deletions, which free space.
const { toGrow, toWrite } = LIMITS.freeDiskSpace;

export type DiskCheck = (isGrowth: boolean) => Promise<boolean>;

/**
 * Returns a function that resolves to true if a write must be rejected. `isGrowth` means that the write adds data. The
 * function reads the free space on every call: long articles, their indexes and the WAL can take tens of megabytes
 * within a second.
 */
export function createDiskCheck(folder: string, log: Log, readFreeBytes = freeBytes): DiskCheck {
  let isFull = false;

  return async function isDiskFull(isGrowth: boolean): Promise<boolean> {
    // Accept writes if the free space cannot be read.
    const free = await readFreeBytes(folder).catch(() => Number.POSITIVE_INFINITY);
    const wasFull = isFull;
    isFull = free < toGrow;
    if (isFull && !wasFull) log.error({ folder, free, minFree: toGrow }, "disk.full");
    if (!isFull && wasFull) log.info({ folder, free }, "disk.freed");
    return isGrowth ? isFull : free < toWrite;
  };
}

export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

export async function checkFreeSpace(folder: string): Promise<void> {
  const free = await freeBytes(folder);
  if (free >= toGrow) return;
  throw new OperatorError(
    `Only ${Math.floor(free / MB)} MB are free in DATA_DIR ${folder}, so writes are rejected: free some space, or move DATA_DIR.`,
  );
}
