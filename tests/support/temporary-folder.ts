import { statfsSync } from "node:fs";
import { tmpdir } from "node:os";

const MEMORY = "/dev/shm";
const ROOM_BYTES = 4 * 1024 ** 3;

/** Memory where there is room: databases are made by the hundred, and no test is about a disk that loses its power. */
export function chooseTemporaryFolder(): string {
  const { TMPDIR } = process.env;
  if (TMPDIR !== undefined) return TMPDIR;
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize > ROOM_BYTES ? MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}
