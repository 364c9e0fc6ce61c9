import pg from "pg";
import { databaseCounters } from "../auth/counters.ts";
import { loadKeys, readKeys } from "../config/keys.ts";
import type { Settings } from "../config/settings.ts";
import { StartError } from "../config/start-error.ts";
import type { Log } from "../http/log.ts";
import { openDatabase } from "../postgres/database.ts";
import { checkServing, connectToServer, inspect } from "../postgres/external-server.ts";
import { administration, type PreparedDatabase, prepareDatabase, serveBuiltIn } from "./built-in.ts";
import type { Backend, RunningBackend } from "./types.ts";

const INSUFFICIENT_PRIVILEGE = "42501";

export function postgresBackend(settings: Settings, url: string): Backend {
  return {
    place: "DATABASE_URL",
    start: (log) => start(settings, url, log),
    check: () => check(settings, url),
    administration: () => administration(settings),
    async connectAsOwner() {
      const client = await connectToServer(url);
      return { client, close: () => client.end() };
    },
  };
}

async function start(settings: Settings, url: string, log: Log): Promise<RunningBackend> {
  const keys = await loadKeys(settings);
  const { connectionString, demo } = await prepare(settings, url, keys.jwtSecret, log);
  const database = openDatabase({ connectionString, log });
  const counters = databaseCounters(database);
  const served = serveBuiltIn({ settings, keys, database, log, counters });
  return { ...served, demo, isDiskFull: () => false };
}

async function prepare(settings: Settings, url: string, secret: string, log: Log): Promise<PreparedDatabase> {
  const client = await connectToServer(url);
  try {
    const login = await inspect(client);
    if (!login.foldsCase) {
      log.warn("database.case_limited", {
        reason: "It knows the case of English letters only: make it with a locale such as C.UTF-8",
      });
    }
    if (login.owns) return await prepareDatabase(client, { url, seed: settings.seed ?? "none", secret, log });
    await checkServing(client, login);
    return { connectionString: url, demo: undefined };
  } catch (error) {
    throw error instanceof pg.DatabaseError ? new StartError(complaint(client.user, error)) : error;
  } finally {
    await client.end();
  }
}

async function check(settings: Settings, url: string): Promise<string> {
  await readKeys(settings);
  const client = await connectToServer(url);
  try {
    const login = await inspect(client);
    if (!login.owns) await checkServing(client, login);
    return `DATABASE_URL leads to PostgreSQL ${login.version}.`;
  } finally {
    await client.end();
  }
}

function complaint(login: string | undefined, error: pg.DatabaseError): string {
  return error.code === INSUFFICIENT_PRIVILEGE
    ? `The login ${login} of DATABASE_URL may not prepare the database (${error.message}): it must own the database and be allowed to make roles; roles that another login made must be granted to it with admin option (docs/databases.md).`
    : `The database of DATABASE_URL cannot be prepared: ${error.message}.`;
}
