import pg from "pg";
import { afterRunning } from "../running-time.ts";
import { AnswerTimeoutError, isUnavailable, SessionEndedError } from "./database-errors.ts";

export type Role = "anon" | "authenticated" | "service_role" | "supabase_auth_admin";

export interface AuthContext {
  role: Role;
  claims?: Record<string, unknown>;
}

const BEGIN_TIMEOUT_MS = 2_000;

// Values stand as literals, because several statements at once take no parameters. Limits and time zone are set here and
// not for the connection, because a pooler in transaction mode would lose them. Times are in UTC, because browsers sort
// them as texts (specification §5).
export function beginAs({ role, claims = { role } }: AuthContext, statementTimeoutMs: number): string {
  const limit = pg.escapeLiteral(String(statementTimeoutMs));
  const session =
    claims["session_id"] === undefined
      ? ""
      : `, auth.session_is_live(${literal(claims["session_id"])}, ${literal(claims["sub"])}) as live`;
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

export async function begin(client: pg.PoolClient, context: AuthContext, opening: string): Promise<void> {
  const stop = afterRunning(BEGIN_TIMEOUT_MS, () =>
    client.connection.stream.destroy(new AnswerTimeoutError()),
  );
  // Several statements at once have several results, which pg's types do not know.
  const answers = (await client.query(opening).finally(stop)) as unknown as pg.QueryResult<{
    live?: boolean;
  }>[];
  if (context.claims?.["session_id"] !== undefined && answers.at(-1)?.rows[0]?.live !== true) {
    throw new SessionEndedError("The session has ended");
  }
}

export async function commit(client: pg.PoolClient): Promise<void> {
  const { command } = await client.query("commit");
  // PostgreSQL answers the commit of a failed transaction with a rollback, and no error.
  if (command !== "COMMIT") throw new Error("The transaction was rolled back: one of its statements failed");
}

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
