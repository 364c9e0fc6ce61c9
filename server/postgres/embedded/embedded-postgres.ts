import { chmod, chown, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Log } from "../../http/log.ts";
import { connect } from "../owner-connection.ts";
import { type Account, chooseAccount, dataArgument } from "./account.ts";
import { findBinaries } from "./binaries.ts";
import { clusterExists, createCluster, removeUnfinishedClusters } from "./cluster.ts";
import { stopLeftover } from "./leftover.ts";
import { lockDataDir } from "./lock.ts";
import { superuserPassword, unusable } from "./superuser.ts";
import { supervise } from "./supervise.ts";

// A Unix socket's path can have 104 bytes on macOS and 108 on Linux, including the terminating zero (`sun_path` in
// unix(7)).
const MAX_SOCKET_PATH_BYTES = 103;
const SOCKET_PORT = 5432;
const SOCKET_FOLDER = "run";

// Keeps the memory of PostgreSQL low (docs/performance.md, "Memory"). Settings for durability keep their defaults.
const CONFIGURATION = {
  listen_addresses: "",
  port: SOCKET_PORT,
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
  log_line_prefix: "",
  log_checkpoints: "off",
  log_min_messages: "log",
  log_min_error_statement: "panic",
  log_error_verbosity: "terse",
  unix_socket_permissions: "0700",
};

export async function startPostgres(dataDir: string, log: Log, onCreate: () => void = () => undefined) {
  const folder = path.join(dataDir, "postgres");
  const exists = await clusterExists(folder);
  await using opened = new AsyncDisposableStack();
  opened.defer(lockDataDir(dataDir));
  await removeUnfinishedClusters(dataDir);
  const account = chooseAccount(folder);
  const binaries = await findBinaries(account);
  const password = await superuserPassword(dataDir, !exists);
  if (exists) {
    await stopLeftover(folder);
    // Kubernetes with an `fsGroup` gives the group access at each mount, and PostgreSQL then refuses to start. If this
    // process isn't the owner, PostgreSQL reports why it can't start.
    await chmod(folder, 0o700).catch(() => undefined);
  } else {
    onCreate();
    await createCluster(folder, password, binaries, account);
  }

  const endpoint = await chooseEndpoint(folder, account);
  opened.defer(endpoint.remove);
  const args = ["-D", dataArgument(folder, account), "-k", endpoint.name];
  for (const [name, value] of Object.entries(CONFIGURATION)) args.push("-c", `${name}=${value}`);
  const server = await supervise({ program: binaries.postgres, args, account, folder }, log);
  opened.defer(server.stop);

  const running = opened.move();
  const connectionString = `postgres://postgres:${encodeURIComponent(password)}@localhost/postgres?host=${encodeURIComponent(endpoint.host)}&port=${SOCKET_PORT}`;
  return {
    connectionString,
    connect: () =>
      connect({ connectionString }).catch((error) => {
        throw unusable(dataDir, error);
      }),
    stop: () => running.disposeAsync(),
  };
}

async function chooseEndpoint(folder: string, account: Account | undefined) {
  const inside = path.join(folder, SOCKET_FOLDER);
  // Remove the socket's lock file, which a killed PostgreSQL leaves behind: if an unrelated process now has the id in
  // that file, PostgreSQL would not start.
  await rm(inside, { recursive: true, force: true });
  const fits = Buffer.byteLength(path.join(inside, `.s.PGSQL.${SOCKET_PORT}`)) <= MAX_SOCKET_PATH_BYTES;
  const host = fits ? inside : await mkdtemp(path.join(tmpdir(), "techfolio-"));
  await mkdir(host, { recursive: true, mode: 0o700 });
  if (account !== undefined) await chown(host, account.uid, account.gid);
  return {
    host,
    name: fits ? SOCKET_FOLDER : host,
    remove: () => rm(host, { recursive: true, force: true }),
  };
}
