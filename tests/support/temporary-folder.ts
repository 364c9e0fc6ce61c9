import { statfsSync } from "node:fs";
import { tmpdir } from "node:os";

const MEMORY_FOLDER = "/dev/shm";
const MIN_FREE_BYTES = 4 * 1024 ** 3;

/**
 * Returns TMPDIR if it is set. Otherwise prefers a folder in memory, if there is enough space, because the tests create
 * hundreds of databases.
 */
export function chooseTemporaryFolder(): string {
  const { TMPDIR } = process.env;
  if (TMPDIR !== undefined) return TMPDIR;
  try {
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    return bavail * bsize > MIN_FREE_BYTES ? MEMORY_FOLDER : tmpdir();
  } catch {
    return tmpdir();
  }
}
