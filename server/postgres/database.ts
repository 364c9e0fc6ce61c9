import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { LIMITS } from "../config/limits.ts";
import type { Log } from "../http/log.ts";
import { createThrottle } from "../http/throttle.ts";
import { TRANSACTION_SETTINGS } from "./connection-settings.ts";
import {
  asUnavailable,
  DatabaseUnavailableError,
  isDeadlock,
  isUnavailable,
  SessionEndedError,
  wasClosedBefore,
} from "./database-errors.ts";

export {
  classifyFailure,
  DatabaseUnavailableError,
  type FailureClass,
  SessionEndedError,
} from "./database-errors.ts";

export type Role = "anon" | "authenticated" | "service_role" | "supabase_auth_admin";

export interface AuthContext {
  role: Role;
  claims?: Record<string, unknown>;
  /** The time zone of times in results, UTC by default. */
  timeZone?: string;
}

export type Database = ReturnType<typeof openDatabase>;

interface DatabaseOptions {
  connectionString: string;
  size?: number;
  /** Replaces the statement timeouts of all roles. */
  statementTimeoutMs?: number;
  log?: Log;
}

const STATEMENT_TIMEOUTS_MS: Record<Role, number> = {
  anon: LIMITS.database.visitorStatementMs,
  authenticated: LIMITS.database.memberStatementMs,
  service_role: LIMITS.database.memberStatementMs,
  supabase_auth_admin: LIMITS.database.memberStatementMs,
};
/** Longer than the longest statement timeout, so that PostgreSQL can cancel a slow statement first. */
const QUERY_TIMEOUT_MS = 5_500;
const CONNECT_TIMEOUT_MS = 2_500;
/** If PostgreSQL takes longer than this to start a transaction, the request fails with DatabaseUnavailableError. */
const START_TIMEOUT_MS = 2_000;
/** Long enough for the other transaction of a deadlock to continue. It would otherwise find its rows locked again. */
const PAUSE_AFTER_DEADLOCK_MS = 100;

/** Repeats `attempt` once if it failed with an error after which nothing was written. */
async function repeatOnce<T>(
  attempt: () => Promise<T>,
  isRepeatable: (error: unknown) => boolean,
): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (!isRepeatable(error)) throw error;
    if (isDeadlock(error)) await delay(PAUSE_AFTER_DEADLOCK_MS);
    return attempt();
  }
}

export function openDatabase({
  connectionString,
  size = LIMITS.database.connections,
  statementTimeoutMs,
  log,
}: DatabaseOptions) {
  // An idle site stays connected, so that a process with other keys notices it (serving-role.ts).
  const pool = openPool(connectionString, { min: 1, max: size }, log);
  const signInPool = openPool(connectionString, { max: LIMITS.database.signInConnections }, log);

  async function withConnection<T>(
    context: AuthContext,
    work: (client: pg.PoolClient, statements: string) => Promise<T>,
  ): Promise<T> {
    const { role } = context;
    const statements = startStatements(context, statementTimeoutMs ?? STATEMENT_TIMEOUTS_MS[role]);
    const client = await takeConnection(role === "supabase_auth_admin" ? signInPool : pool);
    try {
      const result = await work(client, statements);
      client.release();
      return result;
    } catch (error) {
      await rollBack(client, error);
      throw asUnavailable(error);
    }
  }

  /** Runs a read-only statement in one round trip. Throws the same errors as `transaction`. */
  function read<Row extends object>(context: AuthContext, statement: pg.QueryConfig) {
    return repeatOnce(() => readOnce<Row>(context, statement), wasClosedBefore);
  }

  function readOnce<Row extends object>(context: AuthContext, statement: pg.QueryConfig) {
    return withConnection(context, async (client, statements) => {
      // Send `statement` without waiting for the transaction to start: if the start fails, PostgreSQL also rejects
      // `statement`, which therefore never runs without the role.
      const { stream } = client.connection;
      // One packet for all three, so that each process and PostgreSQL wake up once.
      stream.cork();
      const started = startTransaction(client, context, statements);
      const responded = client.query<Row>(statement);
      const committed = commit(client);
      stream.uncork();
      const responses = Promise.allSettled([started, responded, committed]);
      await started.catch(async (error) => {
        // Wait for all three responses before the connection is reused. An unresponsive connection is closed instead.
        if (!isUnavailable(error)) await responses;
        throw error;
      });
      await responses;
      const result = await responded;
      await committed;
      return result;
    });
  }

  return {
    /**
     * Runs `work` with the role and claims of `context`. Throws SessionEndedError, DatabaseUnavailableError, or what
     * `work` throws, after rolling back. Runs `work` twice if PostgreSQL rolls the first attempt back because of a
     * deadlock, so `work` must have no effects outside of the database.
     */
    transaction<T>(context: AuthContext, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
      let isStarted = false;
      const attempt = () =>
        withConnection(context, async (client, statements) => {
          await startTransaction(client, context, statements);
          isStarted = true;
          const result = await work(client);
          await commit(client);
          return result;
        });
      return repeatOnce(attempt, (error) => isDeadlock(error) || (wasClosedBefore(error) && !isStarted));
    },
    read,
    /** Throws SessionEndedError if the session of the caller's token has ended. API keys have no session. */
    async requireLiveSession(context: AuthContext): Promise<void> {
      if (context.claims?.["session_id"] !== undefined) await read(context, { text: "select 1" });
    },
    ready: () =>
      read({ role: "anon" }, { text: "select 1" }).then(
        () => true,
        () => false,
      ),
    connections: () => ({
      limit: size + LIMITS.database.signInConnections,
      total: pool.totalCount + signInPool.totalCount,
      idle: pool.idleCount + signInPool.idleCount,
      waiting: pool.waitingCount + signInPool.waitingCount,
    }),
    async close() {
      await Promise.all([pool.end(), signInPool.end()]);
    },
  };
}

function openPool(connectionString: string, size: Pick<pg.PoolConfig, "min" | "max">, log?: Log): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    ...size,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
    pipeline: true,
    application_name: "techfolio",
  });
  const throttle = createThrottle();
  // An unhandled `error` event on an idle connection would crash the process.
  pool.on("error", () => undefined);
  pool.on("connect", (client) =>
    client.on("error", (error) => {
      // While the site stops, PostgreSQL may close a connection first.
      if (!pool.ending && throttle(error.message) !== undefined)
        log?.warn({ reason: error.message }, "database.connection_lost");
    }),
  );
  return pool;
}

/** Throws DatabaseUnavailableError, for example if no connection becomes free within 2.5 seconds. */
async function takeConnection(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw new DatabaseUnavailableError("No connection to the database", { cause: error });
  }
}

/**
 * Returns the statements that start a transaction with the role and claims of a request. They are sent as one query, so
 * they can't have parameters.
 */
export function startStatements(
  { role, claims = { role }, timeZone }: AuthContext,
  statementTimeoutMs: number,
): string {
  const timeout = pg.escapeLiteral(String(statementTimeoutMs));
  const session =
    claims["session_id"] === undefined
      ? ""
      : `, auth.session_is_live(${literal(claims["session_id"])}, ${literal(claims["sub"])}) as live`;
  const zone = timeZone === undefined ? "" : `, set_config('timezone', ${literal(timeZone)}, true)`;
  // One column for all settings: pg takes longer to read a row with fifteen.
  return `begin isolation level read committed read write; select num_nonnulls(set_config('role', ${literal(role)}, true),
    set_config('request.jwt.claims', ${literal(JSON.stringify(claims))}, true),
    ${TRANSACTION_SETTINGS},
    set_config('statement_timeout', ${timeout}, true),
    set_config('idle_in_transaction_session_timeout', ${timeout}, true)${zone}) as settings${session}`;
}

function literal(value: unknown): string {
  if (value === undefined) return "null";
  const text = String(value);
  // A NUL would truncate the query, and later statements would run without the role.
  if (text.includes("\0")) throw new Error("A zero byte in a claim");
  return pg.escapeLiteral(text);
}

/** Throws SessionEndedError if the session of the token has ended. */
async function startTransaction(
  client: pg.PoolClient,
  context: AuthContext,
  statements: string,
): Promise<void> {
  // pg supports `query_timeout` per query and returns an array for several statements, but its types lack both.
  const query = { text: statements, query_timeout: START_TIMEOUT_MS };
  const results = (await client.query(query)) as unknown as pg.QueryResult<{ live?: boolean }>[];
  if (context.claims?.["session_id"] !== undefined && results.at(-1)?.rows[0]?.live !== true) {
    throw new SessionEndedError("The session has ended");
  }
}

async function commit(client: pg.PoolClient): Promise<void> {
  const { command } = await client.query("commit");
  // PostgreSQL responds to COMMIT of a failed transaction with ROLLBACK instead of an error.
  if (command !== "COMMIT") throw new Error("The transaction was rolled back: one of its statements failed");
}

/** Rolls back and returns the connection to the pool, or closes the connection if it is no longer usable. */
async function rollBack(client: pg.PoolClient, cause: unknown): Promise<void> {
  if (isUnavailable(cause)) {
    client.release(true);
    return;
  }
  try {
    if (client.getTransactionStatus() !== "I") await client.query("rollback");
    client.release();
  } catch {
    client.release(true);
  }
}
