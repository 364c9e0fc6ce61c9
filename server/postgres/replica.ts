import type pg from "pg";
import type { Log } from "../http/log.ts";
import { type AuthContext, type Database, DatabaseUnavailableError } from "./database.ts";
import { followPosition, type Position } from "./replica-position.ts";

const isPast = "select coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false) as past";
// A replica cancels what stands in the way of replaying (PostgreSQL, 'Handling Query Conflicts').
const recoveryConflict = "40001";
const probePause = 5_000;

/** The replica has not yet replayed what its reader must see. */
class BehindError extends Error {
  override readonly name = "BehindError";
}

/**
 * Takes a database, a streaming replica of it and where to say whether that is used; returns the database with
 * what visitors read answered by the replica. Before each read the replica says how far it has come: where it
 * lacks the last write that was heard of, or does not answer, the database itself is read. As long as writes are
 * not heard, nobody knows what it lacks, and it is not asked.
 */
export function withReplica(primary: Database, replica: Database, log?: Log): Database {
  const position = followPosition(primary, log);
  let probe: NodeJS.Timeout | undefined;

  function rest(error: Error): void {
    if (probe !== undefined) return;
    log?.warn("database replica does not answer", { reason: error.message });
    probe = setInterval(async () => {
      if (!(await replica.ready())) return;
      clearInterval(probe);
      probe = undefined;
      log?.info("database replica answers again");
    }, probePause).unref();
  }

  return {
    ...position.follower,
    async transaction(caller, work) {
      const result = await primary.transaction(caller, work);
      // Before the writer is told: what he reads next must not come from a replica that lacks it.
      if (caller.role !== "anon") position.moved();
      return result;
    },
    async read(caller, statements) {
      const required = caller.role === "anon" && probe === undefined ? position.current() : undefined;
      if (required === undefined) return primary.read(caller, statements);
      try {
        return await readPast(replica, required, caller, statements);
      } catch (error) {
        if (error instanceof DatabaseUnavailableError) rest(error);
        else if (!(error instanceof BehindError) && !isRecoveryConflict(error)) throw error;
        return primary.read(caller, statements);
      }
    },
    ready: () => primary.ready(),
    isCrowded: () => primary.isCrowded(),
    isSilent: () => primary.isSilent(),
    pools: () => [
      ...primary.pools(),
      ...replica.pools().map((use) => ({ ...use, server: "replica" as const })),
    ],
    async close() {
      clearInterval(probe);
      await Promise.all([primary.close(), replica.close()]);
    },
  };
}

/**
 * Takes the addresses of a database and of its replica, returns the replica's with the login of the database: roles are
 * replicated along, so that what may serve requests there may serve them here.
 */
export function replicaAddress(address: string, replica: string): string {
  const { username, password } = new URL(address);
  return Object.assign(new URL(replica), { username, password }).href;
}

async function readPast(
  replica: Database,
  required: Position,
  caller: AuthContext,
  statements: readonly pg.QueryConfig[],
): Promise<pg.QueryResult[]> {
  const [position, ...answers] = await replica.read(caller, [
    { text: isPast, values: [required] },
    ...statements,
  ]);
  if (position?.rows[0]?.past !== true) throw new BehindError("The replica is behind");
  return answers;
}

function isRecoveryConflict(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === recoveryConflict;
}
