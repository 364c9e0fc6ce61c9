import { constants } from "node:fs";
import { access, chmod, mkdir, open, readdir, stat } from "node:fs/promises";
import path from "node:path";
import { systemErrorMessage } from "./error-message.ts";
import { OperatorError } from "./operator-error.ts";

// DATA_DIR may contain only names that this release or an earlier one (`run`, `space-reserve`) creates, and those of
// operating systems, network storage and quotas.
const EXPECTED_NAMES =
  /^(keys\.json(\.\d+)?|postgres(\.password)?|run|server\.(lock(-journal)?|pid)|space-reserve|\..*)$/;
const SYSTEM_NAMES =
  /^(lost\+found|@eaDir|#recycle|\$RECYCLE\.BIN|System Volume Information|Thumbs\.db|desktop\.ini|aquota\.(user|group))$/i;

/**
 * Throws OperatorError if the folder isn't writable or contains files that aren't the site's: `prepareDataDir` makes the
 * folder private, so other users would lose access to those files.
 */
export async function checkDataDir(dataDir: string): Promise<void> {
  const fail = unwritable(dataDir);
  await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK).catch(fail);
  const unexpected = (await readdir(dataDir).catch(fail)).find(
    (name) => !EXPECTED_NAMES.test(name) && !SYSTEM_NAMES.test(name),
  );
  if (unexpected === undefined) return;
  throw new OperatorError(
    `DATA_DIR ${dataDir} contains other files (${unexpected}): set DATA_DIR to an empty folder or to the site's folder.`,
  );
}

export async function prepareDataDir(dataDir: string): Promise<void> {
  const fail = unwritable(dataDir);
  await createFolder(dataDir).catch(fail);
  await checkDataDir(dataDir);
  const { mode, uid } = await stat(dataDir);
  if ((mode & 0o777) === 0o700) return;
  // The folder of a container's volume may belong to root, and its group gives access. The files in it are private.
  const isOthers = uid !== process.getuid?.();
  await chmod(dataDir, 0o700).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EPERM" || !isOthers) fail(error);
  });
}

/** Creates missing parent folders one by one, because Node 24's recursive `mkdir` never returns for a folder in /proc. */
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

function unwritable(dataDir: string) {
  return (error: unknown): never => {
    throw new OperatorError(`DATA_DIR ${dataDir} cannot be written: ${systemErrorMessage(error)}.`);
  };
}

/**
 * Writes the folder's list of files to disk, so that a new or renamed file survives a power failure. An fsync of the
 * file alone doesn't ensure that (see fsync(2)).
 */
export async function flushFolder(folder: string): Promise<void> {
  await using handle = await open(folder);
  await handle.sync();
}
