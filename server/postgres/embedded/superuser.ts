import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { errorMessage } from "../../config/error-message.ts";
import { OperatorError } from "../../config/operator-error.ts";

/**
 * Returns the password of the embedded database's superuser, and creates it for a new database. Throws OperatorError if
 * the password file of an existing database is missing.
 */
export async function superuserPassword(dataDir: string, isNew = false): Promise<string> {
  const file = path.join(dataDir, "postgres.password");
  const stored = await readFile(file, "utf8").catch(() => "");
  if (stored !== "") return stored;
  if (!isNew) {
    throw new OperatorError(
      `The database in DATA_DIR ${dataDir} cannot be used without its password: restore the file postgres.password.`,
    );
  }
  const created = randomBytes(32).toString("base64url");
  await writeFile(file, created, { mode: 0o600, flush: true });
  return created;
}

export function unusable(dataDir: string, error: unknown): OperatorError {
  return new OperatorError(`The database in DATA_DIR ${dataDir} cannot be used: ${errorMessage(error)}.`);
}
