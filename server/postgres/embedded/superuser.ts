import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { errorMessage } from "../../config/error-message.ts";
import { StartError } from "../../config/start-error.ts";

const fileOf = (dataDir: string) => path.join(dataDir, "postgres.password");

/** The superuser's. Throws StartError when it is gone: a new one would not open the database that exists. */
export async function readPassword(dataDir: string): Promise<string> {
  const known = await readFile(fileOf(dataDir), "utf8").catch(() => "");
  if (known !== "") return known;
  throw new StartError(
    `The database in DATA_DIR ${dataDir} cannot be used without the password that belongs to it: put postgres.password back.`,
  );
}

export async function choosePassword(dataDir: string): Promise<string> {
  const left = await readFile(fileOf(dataDir), "utf8").catch(() => "");
  if (left !== "") return left;
  const made = randomBytes(32).toString("base64url");
  await writeFile(fileOf(dataDir), made, { mode: 0o600, flush: true });
  return made;
}

export function unusable(dataDir: string, error: unknown): StartError {
  return new StartError(`The database in DATA_DIR ${dataDir} cannot be used: ${errorMessage(error)}.`);
}
