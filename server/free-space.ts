import { statfs } from "node:fs/promises";
import type { Log } from "./log.ts";

/** Watches a disk. */
export interface FreeSpace {
  /** Returns whether so little is left that nothing more should be written. */
  isShort(): boolean;
  stop(): void;
}

// PostgreSQL ends itself when it cannot write its log ahead (16 MB at a time), and then nobody reads either. So
// writing ends before: what is left is for its own book-keeping while it only reads.
export const reserve = 64 * 1024 * 1024;
const interval = 500;

/** Takes a folder and how to learn how many bytes are free there, returns the watch over its disk. */
export function watchFreeSpace(folder: string, log: Log, read = freeBytes): FreeSpace {
  let isShort = false;
  const look = async () => {
    const free = await read(folder).catch(() => undefined);
    if (free === undefined || free < reserve === isShort) return;
    isShort = free < reserve;
    if (isShort) log.error("disk almost full: writes are refused", { folder, free, reserve });
    else log.info("disk has space again: writes are accepted", { folder, free });
  };
  void look();
  const timer = setInterval(look, interval).unref();
  return { isShort: () => isShort, stop: () => clearInterval(timer) };
}

/** Takes a folder, returns how many bytes may still be written there. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
