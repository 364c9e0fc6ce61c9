import { statfsSync } from "node:fs";
import { tmpdir } from "node:os";

const MEMORY = "/dev/shm";
const MIN_FREE_BYTES = 4 * 1024 ** 3;

/**
 * Prefers memory if there is enough: tests create hundreds of databases and don't need durable storage.
 */
export function chooseTemporaryFolder(): string {
  const { TMPDIR } = process.env;
  if (TMPDIR !== undefined) return TMPDIR;
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize > MIN_FREE_BYTES ? MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}
