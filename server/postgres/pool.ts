import pg from "pg";
import type { Log } from "../http/log.ts";
import { DatabaseUnavailableError, isTimeout } from "./database-errors.ts";

// A request learns within 5 seconds that a server has vanished: this, and then the wait for `begin`.
const CONNECT_TIMEOUT_MS = 2_500;
const CUT_OFF_MARGIN_MS = 500;
const UNRESPONSIVE_PAUSE_MS = 1_000;

interface PoolOptions {
  connectionString: string;
  size: number;
  statementTimeoutMs: number;
  log: Log | undefined;
}

export function openPool({ connectionString, size, statementTimeoutMs, log }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max: size,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: statementTimeoutMs + CUT_OFF_MARGIN_MS,
    keepAlive: true,
    pipeline: true,
    application_name: "techfolio",
  });
  // Without a listener a connection that breaks while nobody awaits it would end the process.
  pool.on("error", () => undefined);
  pool.on("connect", (client) =>
    client.on("error", (error) => log?.warn("database.connection_lost", { reason: error.message })),
  );
  return pool;
}

export async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw new DatabaseUnavailableError("No connection to the database", { cause: error });
  }
}

export function createCircuitBreaker() {
  let pausedUntil = 0;
  let answeredAt = 0;
  return {
    check(): void {
      if (performance.now() < pausedUntil) throw new DatabaseUnavailableError("The database does not answer");
    },
    async observe<T>(step: Promise<T>): Promise<T> {
      const askedAt = performance.now();
      try {
        const answer = await step;
        answeredAt = performance.now();
        return answer;
      } catch (error) {
        // Another request may have been answered since this one was sent.
        if (isTimeout(error) && answeredAt < askedAt) pausedUntil = performance.now() + UNRESPONSIVE_PAUSE_MS;
        throw error;
      }
    },
  };
}
