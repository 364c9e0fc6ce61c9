import { randomUUID } from "node:crypto";
import { realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { flushFolder } from "../../config/data-directory.ts";
import { systemErrorMessage } from "../../config/error-message.ts";
import { OperatorError } from "../../config/operator-error.ts";

/**
 * Writes a file with mode 0600, and replaces an earlier one only once the new one is on disk. Throws OperatorError, or
 * what `content` throws.
 */
export async function writeAtomically(name: string, content: AsyncIterable<Buffer>): Promise<void> {
  const file = await realpath(name).catch(() => name);
  if ((await stat(file).catch(() => undefined))?.isFile() === false)
    throw new OperatorError(`${name} is not a regular file: choose another name.`);
  // Use a random name, because process ids repeat in containers and a killed backup leaves its temporary file behind.
  const temporary = `${file}.${randomUUID()}.partial`;
  try {
    await writeFile(temporary, content, { flag: "wx", mode: 0o600, flush: true });
    await rename(temporary, file);
    await flushFolder(path.dirname(file));
  } catch (error) {
    await rm(temporary, { force: true });
    // Errors of the database have no number of the operating system.
    if ((error as NodeJS.ErrnoException).errno === undefined) throw error;
    throw new OperatorError(`${file} cannot be written: ${systemErrorMessage(error)}.`);
  }
}
