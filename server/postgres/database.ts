import pg from "pg";
import type { Log } from "../http/log.ts";
import { type Follower, followChanges } from "./change-notifications.ts";

/** The roles that a request can run under (Supabase's names; server/postgres/base.sql makes them). */
export type Role = "anon" | "authenticated" | "service_role" | "supabase_auth_admin";

/** Under whose rights a transaction runs. The claims are those of a verified token. */
export interface AuthContext {
  role: Role;
  claims?: Record<string, unknown>;
}

/** Open connections in all, idle ones, and requests that wait for one. */
export interface PoolUse {
  total: number;
  idle: number;
  waiting: number;
}

/** The database as requests use it. */
export interface Database {
  /**
   * Takes a caller and what to do, returns what that returns once it is committed. Role and claims hold for
   * this one transaction only, so no identity can leak into the next (access-rules: identity leaking).
   * Throws SessionEndedError when the claims name a session that is over, DatabaseUnavailableError when the
   * server cannot be reached or too many wait for it, otherwise whatever `work` throws, after rolling back.
   */
  transaction<T>(caller: AuthContext, work: (client: pg.PoolClient) => Promise<T>): Promise<T>;
  /**
   * Runs statements that only read, with the beginning and the end of their transaction, in one round trip.
   * Throws as `transaction` does, of several errors the first.
   */
  read(caller: AuthContext, statements: readonly pg.QueryConfig[]): Promise<pg.QueryResult[]>;
  /** Takes who wants to know of writes, tells him until the database is closed. */
  follow(follower: Follower): void;
  /** Returns whether the database answers. */
  ready(): Promise<boolean>;
  connections(): PoolUse;
  /** Waits for transactions under way, then closes every connection. */
  close(): Promise<void>;
}

/** The token is genuine, but its session was ended or its user is gone: the request is a 401. */
export class SessionEndedError extends Error {
  override readonly name = "SessionEndedError";
}

/** The database cannot be reached for now: the request is a 503 with `Retry-After`. */
export class DatabaseUnavailableError extends Error {
  override readonly name = "DatabaseUnavailableError";
}

/** How to reach the database, and what may be changed for a test. */
export interface DatabaseConnection {
  connectionString: string;
  /** How many connections at most. */
  size?: number;
  /** After how many milliseconds the server cuts a statement off. */
  statementTimeout?: number;
  log?: Log;
}

// A server that has vanished without a word answers nothing: whoever asks it learns that within 5 seconds, first
// waiting for a connection, then for the answer to `begin`. A slow statement is the server's own to cut off.
const connectTimeout = 2_500;
const beginTimeout = 2_000;
const defaultStatementTimeout = 5_000;
const cutOffMargin = 500;

// After such a silence nobody is made to wait for the same again, for so long.
const silencePause = 1_000;

/** For readers and writers. How many of them wait is bounded where requests are admitted. */
const CONNECTIONS = 10;
/** For sign-in alone: nothing that is read or written takes its place. */
const SIGN_IN_CONNECTIONS = 3;

// `query_timeout` of a single query is pg's, and missing in its types.
const soon = (text: string) => ({ text, query_timeout: beginTimeout });

/**
 * Takes a caller and how long a statement may take, returns what begins his transaction in one round trip: texts
 * stand in it as literals, because several statements at once take no parameters. The limits and the time zone
 * travel here and not with the connection, because a pooler in transaction mode would lose them there. Times are in
 * UTC whatever the server is set to: browsers put them in order as texts (specification §5).
 */
function beginAs({ role, claims = { role } }: AuthContext, timeout: number): string {
  const limit = pg.escapeLiteral(String(timeout));
  const session =
    claims.session_id === undefined
      ? ""
      : `, auth.session_is_live(${literal(claims.session_id)}, ${literal(claims.sub)}) as live`;
  return `begin; select set_config('role', ${literal(role)}, true),
    set_config('request.jwt.claims', ${literal(JSON.stringify(claims))}, true),
    set_config('TimeZone', 'UTC', true),
    set_config('statement_timeout', ${limit}, true),
    set_config('idle_in_transaction_session_timeout', ${limit}, true)${session}`;
}

function literal(value: unknown): string {
  if (value === undefined) return "null";
  const text = String(value);
  // It would end the text: `begin` would not be understood, and what follows would run without it.
  if (text.includes("\0")) throw new Error("A zero byte in a claim");
  return pg.escapeLiteral(text);
}

/** Takes a connection, returns the database behind a pool. Connects when first asked, not before. */
export function openDatabase(connection: DatabaseConnection): Database {
  const timeout = connection.statementTimeout ?? defaultStatementTimeout;
  const openPool = (max: number) => {
    const pool = new pg.Pool({
      connectionString: connection.connectionString,
      max,
      connectionTimeoutMillis: connectTimeout,
      query_timeout: timeout + cutOffMargin,
      keepAlive: true,
      pipeline: true,
      application_name: "techfolio",
    });
    // Without a listener a connection that breaks while nobody awaits it would end the process.
    pool.on("error", () => undefined);
    pool.on("connect", (client) => client.on("error", lost));
    return pool;
  };
  const lost = (error: Error) => connection.log?.warn("database connection lost", { message: error.message });
  const pool = openPool(connection.size ?? CONNECTIONS);
  const signInPool = openPool(SIGN_IN_CONNECTIONS);
  const poolOf = ({ role }: AuthContext) => (role === "supabase_auth_admin" ? signInPool : pool);

  const following: (() => Promise<void>)[] = [];
  let silentUntil = 0;
  let heardAt = 0;
  const reach = async <T>(step: Promise<T>): Promise<T> => {
    const askedAt = performance.now();
    try {
      const answer = await step;
      heardAt = performance.now();
      return answer;
    } catch (error) {
      // Somebody who asked while it was silent may learn so only after it has spoken to others again.
      if (isSilence(error) && heardAt < askedAt) silentUntil = performance.now() + silencePause;
      throw error;
    }
  };

  /** Takes the steps of a transaction, its commit the last; returns their result once the connection is free again. */
  async function onConnection<T>(
    caller: AuthContext,
    steps: (client: pg.PoolClient) => Promise<T>,
  ): Promise<T> {
    if (performance.now() < silentUntil) throw new DatabaseUnavailableError("The database is silent");
    const client = await reach(connect(poolOf(caller)));
    try {
      const result = await steps(client);
      client.release();
      return result;
    } catch (error) {
      await rollBack(client, error);
      throw asUnavailable(error);
    }
  }

  return {
    async transaction(caller, work) {
      const opening = beginAs(caller, timeout);
      return onConnection(caller, async (client) => {
        await reach(identify(client, caller, opening));
        const result = await work(client);
        await commit(client);
        return result;
      });
    },
    async read(caller, statements) {
      const opening = beginAs(caller, timeout);
      // Where the beginning fails, the transaction is void, and the statements sent behind it fail with it.
      return onConnection(caller, async (client) => {
        const identified = reach(identify(client, caller, opening));
        const answers = statements.map(async (statement) => client.query(statement));
        const committed = commit(client);
        // All must have ended before the connection is another's.
        await Promise.allSettled([identified, ...answers, committed]);
        await identified;
        const read = await Promise.all(answers);
        await committed;
        return read;
      });
    },
    follow: (follower) => void following.push(followChanges(connection, follower)),
    async ready() {
      try {
        await pool.query(soon("select 1"));
        return true;
      } catch {
        return false;
      }
    },
    connections: () => ({
      total: pool.totalCount + signInPool.totalCount,
      idle: pool.idleCount + signInPool.idleCount,
      waiting: pool.waitingCount + signInPool.waitingCount,
    }),
    async close() {
      await Promise.all([pool.end(), signInPool.end(), ...following.map((end) => end())]);
    },
  };
}

async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw new DatabaseUnavailableError("No connection to the database", { cause: error });
  }
}

/** Takes a connection, a caller and what begins his transaction. */
async function identify(client: pg.PoolClient, caller: AuthContext, opening: string): Promise<void> {
  // Of several statements there are several answers.
  const answers = (await client.query(soon(opening))) as unknown as pg.QueryResult<{
    live?: boolean;
  }>[];
  if (caller.claims?.session_id !== undefined && answers.at(-1)?.rows[0]?.live !== true) {
    throw new SessionEndedError("The session has ended");
  }
}

async function commit(client: pg.PoolClient): Promise<void> {
  const { command } = await client.query("commit");
  // PostgreSQL answers the commit of a failed transaction with a rollback, and no error.
  if (command !== "COMMIT") throw new Error("The transaction was rolled back: one of its statements failed");
}

const isOver = (client: pg.PoolClient) => client.getTransactionStatus() === "I";

/** A connection that cannot even roll back, or that is broken, is destroyed and never reaches the next request. */
async function rollBack(client: pg.PoolClient, cause: unknown): Promise<void> {
  if (isUnavailable(cause)) {
    client.release(true);
    return;
  }
  try {
    if (!isOver(client)) await client.query("rollback");
    client.release();
  } catch {
    client.release(true);
  }
}

function asUnavailable(error: unknown): unknown {
  return isUnavailable(error)
    ? new DatabaseUnavailableError("The connection to the database was lost", { cause: error })
    : error;
}

// Class 08 are connection exceptions, 57P01 to 57P05 a server that stops or starts, 53300 one that is full,
// 25P03 a transaction that it gave up (PostgreSQL, appendix A).
const unavailableStates = /^(08...|57P0[1-5]|53300|25P03)$/;
const networkErrors =
  /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)$/;
// What pg says when a connection ends without a code.
const brokenConnection =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout)/;

/** Whether the server did not answer in time: neither to a new connection nor to the start of a transaction. */
function isSilence(error: unknown): boolean {
  const cause = error instanceof DatabaseUnavailableError ? error.cause : error;
  return cause instanceof Error && /^Query read timeout|due to connection timeout$/.test(cause.message);
}

function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return unavailableStates.test(code) || networkErrors.test(code) || brokenConnection.test(error.message);
}
