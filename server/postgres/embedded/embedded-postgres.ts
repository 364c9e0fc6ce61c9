import path from "node:path";
import type pg from "pg";
import type { Log } from "../../http/log.ts";
import { chooseAccount, dataArgument } from "./account.ts";
import { findBinaries } from "./binaries.ts";
import { clusterExists, createCluster, removeDrafts } from "./cluster.ts";
import { stopLeftover } from "./leftover.ts";
import { lockDataDir } from "./lock.ts";
import { chooseEndpoint } from "./socket.ts";
import { choosePassword, connect, readPassword, unusable } from "./superuser.ts";
import { supervise } from "./supervise.ts";

export interface EmbeddedPostgres {
  /** The superuser's address unless told otherwise. */
  connectionString(user?: string, password?: string): string;
  /** Connects as the superuser. Throws StartError when it is refused. */
  connect(): Promise<pg.Client>;
  stop(): Promise<void>;
}

// Small on purpose: this serves one machine, and server and database together stay below 300 MB. Durability
// (fsync, full_page_writes, synchronous_commit) is PostgreSQL's default. Its log carries no statement and no
// value that a member sent.
const CONFIGURATION = {
  max_connections: 25,
  shared_buffers: "32MB",
  effective_cache_size: "256MB",
  max_wal_size: "256MB",
  min_wal_size: "32MB",
  wal_level: "minimal",
  max_wal_senders: 0,
  io_method: "sync",
  max_worker_processes: 2,
  max_parallel_workers_per_gather: 0,
  max_logical_replication_workers: 0,
  autovacuum_max_workers: 1,
  random_page_cost: 1.1,
  jit: "off",
  timezone: "UTC",
  log_timezone: "UTC",
  log_line_prefix: "",
  log_checkpoints: "off",
  log_min_messages: "log",
  log_min_error_statement: "panic",
  log_error_verbosity: "terse",
  unix_socket_permissions: "0700",
};

/**
 * Starts PostgreSQL as a child of this process on a data directory that exists. Calls `onCreate` before it makes a
 * new database. Throws StartError.
 */
export async function startPostgres(
  dataDir: string,
  log: Log,
  onCreate: () => void = () => undefined,
): Promise<EmbeddedPostgres> {
  const folder = path.join(dataDir, "postgres");
  const exists = await clusterExists(folder);
  const unlock = lockDataDir(dataDir);
  try {
    await removeDrafts(dataDir);
    const account = chooseAccount(folder);
    const binaries = await findBinaries(account);
    const password = exists ? await readPassword(dataDir) : await choosePassword(dataDir);
    if (exists) {
      await stopLeftover(folder);
    } else {
      onCreate();
      await createCluster({ folder, password, binaries, account });
    }

    const endpoint = await chooseEndpoint(folder, account);
    const args = ["-D", dataArgument(folder, account), ...endpoint.args];
    for (const [name, value] of Object.entries(CONFIGURATION)) args.push("-c", `${name}=${value}`);
    const server = await supervise({ program: binaries.postgres, args, account, folder }, log);

    const connectionString = (user = "postgres", secret = password) =>
      `postgres://${user}:${encodeURIComponent(secret)}@localhost/postgres?host=${encodeURIComponent(endpoint.host)}&port=${endpoint.port}`;
    return {
      connectionString,
      connect: () =>
        connect({ connectionString: connectionString() }).catch((error) => {
          throw unusable(dataDir, error);
        }),
      async stop() {
        await server.stop();
        await endpoint.remove();
        unlock();
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
}
