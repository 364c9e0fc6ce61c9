import { constants } from "node:fs";
import { access, chmod, mkdir, open, readdir, stat } from "node:fs/promises";
import { OperatorError, reason } from "./operator-error.ts";

// What a start left there, and what systems put into an empty folder of their own accord.
const OURS =
  /^(keys\.json(\.\d+)?|postgres(\.password)?|server\.(lock(-journal)?|pid)|space-reserve|lost\+found|\..*)$/;

/** Throws OperatorError when the folder cannot be written, or holds other things: its rights are not ours to change. */
export async function checkDataDir(dataDir: string): Promise<void> {
  try {
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    const stranger = (await readdir(dataDir)).find((name) => !OURS.test(name));
    if (stranger === undefined) return;
    throw new OperatorError(
      `DATA_DIR ${dataDir} holds other things (${stranger}): set it to a folder of its own.`,
    );
  } catch (error) {
    throw asStartError(dataDir, error);
  }
}

function asStartError(dataDir: string, error: unknown): OperatorError {
  if (error instanceof OperatorError) return error;
  return new OperatorError(`DATA_DIR ${dataDir} cannot be written: ${reason(error)}.`);
}

export async function prepareDataDir(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await checkDataDir(dataDir);
    const { mode } = await stat(dataDir);
    if ((mode & 0o777) !== 0o700) await chmod(dataDir, 0o700);
  } catch (error) {
    throw asStartError(dataDir, error);
  }
}

/** A new name is a change of its folder, which has to reach the disk by itself (fsync(2)). */
export async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  await handle.sync().finally(() => handle.close());
}
