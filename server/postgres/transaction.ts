import pg from "pg";
import { TRANSACTION_SETTINGS } from "./connection-settings.ts";
import { isUnavailable, SessionEndedError } from "./database-errors.ts";

export type Role = "anon" | "authenticated" | "service_role" | "supabase_auth_admin";

export interface AuthContext {
  role: Role;
  claims?: Record<string, unknown>;
  /** The time zone of times in results, UTC by default. */
  timeZone?: string;
}

/** If PostgreSQL takes longer than this to start a transaction, the request fails with DatabaseUnavailableError. */
const START_TIMEOUT_MS = 2_000;

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
export async function startTransaction(
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

export async function commit(client: pg.PoolClient): Promise<void> {
  const { command } = await client.query("commit");
  // PostgreSQL responds to COMMIT of a failed transaction with ROLLBACK instead of an error.
  if (command !== "COMMIT") throw new Error("The transaction was rolled back: one of its statements failed");
}

/** Rolls back and returns the connection to the pool, or closes the connection if it is no longer usable. */
export async function rollBack(client: pg.PoolClient, cause: unknown): Promise<void> {
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
