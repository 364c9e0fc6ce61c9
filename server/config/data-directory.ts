import { constants } from "node:fs";
import { access, chmod, mkdir, open, readdir, stat } from "node:fs/promises";
import path from "node:path";
import { OperatorError, reason } from "./operator-error.ts";

// Files of this release and of earlier ones (`run`, `space-reserve`), and files that operating systems create in empty folders.
const OURS =
  /^(keys\.json(\.\d+)?|postgres(\.password)?|run|server\.(lock(-journal)?|pid)|space-reserve|lost\+found|\..*)$/;

/** Throws OperatorError when the folder cannot be written, or holds other things: its rights are not ours to change. */
export async function checkDataDir(dataDir: string): Promise<void> {
  const refuse = refusal(dataDir);
  await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK).catch(refuse);
  const stranger = (await readdir(dataDir).catch(refuse)).find((name) => !OURS.test(name));
  if (stranger === undefined) return;
  throw new OperatorError(
    `DATA_DIR ${dataDir} holds other things (${stranger}): set it to a folder of its own.`,
  );
}

export async function prepareDataDir(dataDir: string): Promise<void> {
  const refuse = refusal(dataDir);
  await createFolder(dataDir).catch(refuse);
  await checkDataDir(dataDir);
  const { mode } = await stat(dataDir);
  if ((mode & 0o777) !== 0o700) await chmod(dataDir, 0o700).catch(refuse);
}

/** Creates its parents too. mkdir's own `recursive` never returns for a folder below /proc (Node 24). */
async function createFolder(folder: string, isRetry = false): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "EEXIST" && (await stat(folder)).isDirectory()) return;
    if (code !== "ENOENT" || isRetry) throw error;
    await createFolder(path.dirname(folder));
    await createFolder(folder, true);
  }
}

function refusal(dataDir: string) {
  return (error: unknown): never => {
    throw new OperatorError(`DATA_DIR ${dataDir} cannot be written: ${reason(error)}.`);
  };
}

/** Creating a file changes its folder, which needs its own fsync (fsync(2)). */
export async function flushFolder(folder: string): Promise<void> {
  await using handle = await open(folder);
  await handle.sync();
}
