import pg from "pg";
import type { Log } from "../http/log.ts";
import { DatabaseUnavailableError } from "./database-errors.ts";

const CONNECT_TIMEOUT_MS = 2_500;

/**
 * A query fails if PostgreSQL doesn't respond within `queryTimeoutMs`. This must exceed the longest statement timeout,
 * so that PostgreSQL can cancel a slow statement first.
 */
export function openPool(connectionString: string, size: number, queryTimeoutMs: number, log?: Log): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max: size,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: queryTimeoutMs,
    keepAlive: true,
    pipeline: true,
    application_name: "techfolio",
  });
  // An unhandled `error` event on an idle connection would crash the process.
  pool.on("error", () => undefined);
  pool.on("connect", (client) =>
    client.on("error", (error) => {
      // While the site stops, PostgreSQL may close a connection first.
      if (!pool.ending) log?.warn({ reason: error.message }, "database.connection_lost");
    }),
  );
  return pool;
}

/** Throws DatabaseUnavailableError, for example if no connection becomes free within 2.5 seconds. */
export async function takeConnection(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw new DatabaseUnavailableError("No connection to the database", { cause: error });
  }
}
