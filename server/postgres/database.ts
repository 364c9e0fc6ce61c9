import type pg from "pg";
import type { Log } from "../http/log.ts";
import { asUnavailable } from "./database-errors.ts";
import { connect, createCircuitBreaker, openPool } from "./pool.ts";
import { type AuthContext, begin, beginAs, commit, rollBack } from "./transaction.ts";

export { DatabaseUnavailableError, SessionEndedError } from "./database-errors.ts";
export type { AuthContext, Role } from "./transaction.ts";

export type Database = ReturnType<typeof openDatabase>;

interface DatabaseOptions {
  connectionString: string;
  size?: number;
  statementTimeoutMs?: number;
  log?: Log;
}

const STATEMENT_TIMEOUT_MS = 5_000;
const CONNECTIONS = 10;
const SIGN_IN_CONNECTIONS = 3;

export function openDatabase({
  connectionString,
  size = CONNECTIONS,
  statementTimeoutMs = STATEMENT_TIMEOUT_MS,
  log,
}: DatabaseOptions) {
  const pool = openPool(connectionString, size, statementTimeoutMs, log);
  const signInPool = openPool(connectionString, SIGN_IN_CONNECTIONS, statementTimeoutMs, log);
  const circuitBreaker = createCircuitBreaker();

  const beginOn = (client: pg.PoolClient, context: AuthContext, opening: string) =>
    circuitBreaker.observe(begin(client, context, opening).then(circuitBreaker.answered));

  async function onConnection<T>(
    context: AuthContext,
    steps: (client: pg.PoolClient, opening: string) => Promise<T>,
  ): Promise<T> {
    const opening = beginAs(context, statementTimeoutMs);
    circuitBreaker.check();
    const client = await circuitBreaker.observe(
      connect(context.role === "supabase_auth_admin" ? signInPool : pool),
    );
    try {
      const result = await steps(client, opening);
      client.release();
      return result;
    } catch (error) {
      await rollBack(client, error);
      throw asUnavailable(error);
    }
  }

  /** One round trip for a statement that only reads. Throws as `transaction` does. */
  function read<Row extends object>(context: AuthContext, statement: pg.QueryConfig) {
    // Where the beginning fails, the transaction is void, and the statement sent behind it fails with it.
    return onConnection(context, async (client, opening) => {
      const begun = beginOn(client, context, opening);
      const answered = client.query<Row>(statement);
      const committed = commit(client);
      // All must have ended before the connection is another's.
      await Promise.allSettled([begun, answered, committed]);
      await begun;
      const answer = await answered;
      await committed;
      return answer;
    });
  }

  return {
    /** Throws SessionEndedError, DatabaseUnavailableError, or what `work` throws, after rolling back. */
    transaction: <T>(context: AuthContext, work: (client: pg.PoolClient) => Promise<T>) =>
      onConnection(context, async (client, opening) => {
        await beginOn(client, context, opening);
        const result = await work(client);
        await commit(client);
        return result;
      }),
    read,
    ready: () =>
      read({ role: "anon" }, { text: "select 1" }).then(
        () => true,
        () => false,
      ),
    connections: () => ({
      total: pool.totalCount + signInPool.totalCount,
      idle: pool.idleCount + signInPool.idleCount,
      waiting: pool.waitingCount + signInPool.waitingCount,
    }),
    async close() {
      await Promise.all([pool.end(), signInPool.end()]);
    },
  };
}
