import { randomBytes } from "node:crypto";
import { open, rm, stat, statfs } from "node:fs/promises";
import path from "node:path";
import type { Log } from "./log.ts";

const MB = 1024 * 1024;

/** Watches a disk. */
export interface FreeSpace {
  /** Returns whether so little is left that nothing more should be written. */
  isShort(): boolean;
  stop(): void;
}

// PostgreSQL ends itself when it cannot write its log ahead (16 MB at a time), and then nobody reads either. So
// writing ends before: what is left is for its own book-keeping while it only reads.
export const leastFree = 64 * MB;
// Somebody else may fill the disk faster than we look. This file is given up then, so that PostgreSQL has room
// to go on, or to recover.
const reserveSize = 32 * MB;
const reserveName = "space-reserve";
/** With so much left the reserve is laid up again, and there is still more than enough. */
const plenty = leastFree + 2 * reserveSize;
const interval = 100;

/** Takes a folder and how to learn how many bytes are free there, returns the watch over its disk. */
export function watchFreeSpace(folder: string, log: Log, read = freeBytes): FreeSpace {
  const reserve = createReserve(path.join(folder, reserveName));
  let isShort = false;

  async function look(): Promise<void> {
    const free = await read(folder).catch(() => undefined);
    if (free === undefined) return;
    if (!isShort && free < leastFree) {
      isShort = true;
      log.error("disk almost full: writes are refused", { folder, free, leastFree });
      await reserve.release();
    } else if (free >= plenty) {
      await reserve.layUp();
      if (isShort) log.info("disk has space again: writes are accepted", { folder, free });
      isShort = false;
    }
  }

  let isLooking = false;
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    void look().finally(() => {
      isLooking = false;
    });
  }, interval).unref();
  return { isShort: () => isShort, stop: () => clearInterval(timer) };
}

/** A file that takes up space for as long as there is enough. */
function createReserve(file: string) {
  let isThere = false;
  return {
    /** Writes it, unless it is there. Where that fails there is none, until the next time. */
    async layUp(): Promise<void> {
      if (isThere) return;
      isThere = true;
      const known = await stat(file).catch(() => undefined);
      if (known?.size === reserveSize) return;
      await write(file).catch(() => rm(file, { force: true }).catch(() => undefined));
    },
    async release(): Promise<void> {
      isThere = false;
      await rm(file, { force: true }).catch(() => undefined);
    },
  };
}

/** Random bytes: there are file systems that store no zeros. */
async function write(file: string): Promise<void> {
  const handle = await open(file, "w", 0o600);
  try {
    for (let written = 0; written < reserveSize; written += MB) await handle.write(randomBytes(MB));
  } finally {
    await handle.close();
  }
}

/** Takes a folder, returns how many bytes may still be written there. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
