import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { errorMessage } from "../../config/error-message.ts";
import { StartError } from "../../config/start-error.ts";

const connectTimeout = 5_000;
const fileOf = (dataDir: string) => path.join(dataDir, "postgres.password");

/**
 * Takes a data directory that has a database, returns the password of its superuser. Throws StartError when it is
 * gone: a new one would not open the database, and would hide that the old one is lost.
 */
export async function readPassword(dataDir: string): Promise<string> {
  const known = await readFile(fileOf(dataDir), "utf8").catch(() => "");
  if (known !== "") return known;
  throw new StartError(
    `The database in DATA_DIR ${dataDir} cannot be used without the password that belongs to it: put postgres.password back.`,
  );
}

/** Takes a data directory without a database, returns the password that the superuser of the one to come shall have. */
export async function choosePassword(dataDir: string): Promise<string> {
  const left = await readFile(fileOf(dataDir), "utf8").catch(() => "");
  if (left !== "") return left;
  const made = randomBytes(32).toString("base64url");
  await writeFile(fileOf(dataDir), made, { mode: 0o600, flush: true });
  return made;
}

/** Takes how to connect, returns a connection whose loss ends no process. Throws what pg says. */
export async function connect(config: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client({ ...config, connectionTimeoutMillis: connectTimeout });
  // What ends the connection while nobody awaits it, PostgreSQL's own stop for one, would end the process.
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

/** Takes a data directory and why its database cannot be used, returns that as one sentence. */
export function unusable(dataDir: string, error: unknown): StartError {
  return new StartError(`The database in DATA_DIR ${dataDir} cannot be used: ${errorMessage(error)}.`);
}
