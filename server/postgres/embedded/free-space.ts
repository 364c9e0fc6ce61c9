import { randomBytes } from "node:crypto";
import { open, rm, stat, statfs } from "node:fs/promises";
import path from "node:path";
import { setInterval } from "node:timers/promises";
import { OperatorError } from "../../config/operator-error.ts";
import type { Log } from "../../http/log.ts";

const MB = 1024 * 1024;
// PostgreSQL ends itself when it cannot write its log ahead (16 MB at a time), and then nobody reads either.
const LEAST_FREE_BYTES = 64 * MB;
// Others may fill the disk faster than we look. This file is given up then, so that PostgreSQL can go on or recover.
const RESERVE_BYTES = 32 * MB;
const PLENTY_BYTES = LEAST_FREE_BYTES + 2 * RESERVE_BYTES;
const INTERVAL_MS = 100;

export function watchFreeSpace(folder: string, log: Log, read = freeBytes): () => boolean {
  const reserve = path.join(folder, "space-reserve");
  let isShort = false;

  async function look(): Promise<void> {
    const free = await read(folder);
    if (!isShort && free < LEAST_FREE_BYTES) {
      isShort = true;
      log.error({ folder, free, leastFree: LEAST_FREE_BYTES }, "disk.full");
      await rm(reserve, { force: true });
    } else if (free >= PLENTY_BYTES) {
      await fill(reserve).catch(() => undefined);
      if (isShort) log.info({ folder, free }, "disk.freed");
      isShort = false;
    }
  }

  async function watch(): Promise<void> {
    for await (const _ of setInterval(INTERVAL_MS, undefined, { ref: false })) {
      await look().catch(() => undefined);
    }
  }

  void watch();
  return () => isShort;
}

/** Random bytes: there are file systems that store no zeros. */
async function fill(reserve: string): Promise<void> {
  const known = await stat(reserve).catch(() => undefined);
  if (known?.size === RESERVE_BYTES) return;
  await using file = await open(reserve, "w", 0o600);
  for (let written = 0; written < RESERVE_BYTES; written += MB) await file.write(randomBytes(MB));
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

export async function checkFreeSpace(folder: string): Promise<void> {
  const free = await freeBytes(folder);
  if (free >= LEAST_FREE_BYTES) return;
  throw new OperatorError(
    `Only ${Math.floor(free / MB)} MB are free where DATA_DIR ${folder} lies, and writes are refused: make room, or move DATA_DIR.`,
  );
}
