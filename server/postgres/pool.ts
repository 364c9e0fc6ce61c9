import pg from "pg";
import type { Log } from "../http/log.ts";
import { afterRunning } from "../running-time.ts";
import { AnswerTimeoutError, DatabaseUnavailableError, isTimeout } from "./database-errors.ts";

// A request learns within 5 seconds that a server has vanished: this, and then the wait for `begin`.
const CONNECT_TIMEOUT_MS = 2_500;
const ABANDON_CONNECTING_MS = 5_000;
const CUT_OFF_MARGIN_MS = 500;
const UNRESPONSIVE_PAUSE_MS = 1_000;

export function openPool(connectionString: string, size: number, statementTimeoutMs: number, log?: Log) {
  const pool = new pg.Pool({
    connectionString,
    max: size,
    connectionTimeoutMillis: ABANDON_CONNECTING_MS,
    query_timeout: statementTimeoutMs + CUT_OFF_MARGIN_MS,
    keepAlive: true,
    pipeline: true,
    application_name: "techfolio",
  });
  // Without a listener a connection that breaks while nobody awaits it would end the process.
  pool.on("error", () => undefined);
  pool.on("connect", (client) =>
    client.on("error", (error) => log?.warn({ reason: error.message }, "database.connection_lost")),
  );
  return pool;
}

export async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  const connecting = pool.connect();
  const late = Promise.withResolvers<never>();
  const stop = afterRunning(CONNECT_TIMEOUT_MS, () => late.reject(new AnswerTimeoutError()));
  try {
    return await Promise.race([connecting, late.promise]);
  } catch (error) {
    connecting.then(
      (client) => client.release(),
      () => undefined,
    );
    throw new DatabaseUnavailableError("No connection to the database", { cause: error });
  } finally {
    stop();
  }
}

export function createCircuitBreaker() {
  let pausedUntil = 0;
  let answeredAt = 0;
  return {
    check(): void {
      if (performance.now() >= pausedUntil) return;
      throw new DatabaseUnavailableError("The database does not answer", { cause: new AnswerTimeoutError() });
    },
    /** A connection that rested in the pool is no answer. */
    answered(): void {
      answeredAt = performance.now();
    },
    async observe<T>(step: Promise<T>): Promise<T> {
      const askedAt = performance.now();
      try {
        return await step;
      } catch (error) {
        // Another request may have been answered since this one was sent.
        if (isTimeout(error) && answeredAt < askedAt) pausedUntil = performance.now() + UNRESPONSIVE_PAUSE_MS;
        throw error;
      }
    },
  };
}
