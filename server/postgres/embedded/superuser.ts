import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { errorMessage } from "../../config/error-message.ts";
import { OperatorError } from "../../config/operator-error.ts";

/** Creates a password for a new database. Throws OperatorError if an existing database's password file is missing. */
export async function superuserPassword(dataDir: string, isNew = false): Promise<string> {
  const file = path.join(dataDir, "postgres.password");
  const known = await readFile(file, "utf8").catch(() => "");
  if (known !== "") return known;
  if (!isNew) {
    throw new OperatorError(
      `The database in DATA_DIR ${dataDir} cannot be used without the password that belongs to it: put postgres.password back.`,
    );
  }
  const made = randomBytes(32).toString("base64url");
  await writeFile(file, made, { mode: 0o600, flush: true });
  return made;
}

export function unusable(dataDir: string, error: unknown): OperatorError {
  return new OperatorError(`The database in DATA_DIR ${dataDir} cannot be used: ${errorMessage(error)}.`);
}
