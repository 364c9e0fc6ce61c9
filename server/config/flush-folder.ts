import { open } from "node:fs/promises";

/** A new name is a change of its folder, which has to reach the disk by itself (fsync(2)). */
export async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  await handle.sync().finally(() => handle.close());
}
