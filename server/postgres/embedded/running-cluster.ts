import { readFile } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { prepareDataDir } from "../../config/data-directory.ts";
import { OperatorError } from "../../config/operator-error.ts";
import type { Log } from "../../http/log.ts";
import { connect, type OwnerConnection } from "../owner-connection.ts";
import { clusterExists } from "./cluster.ts";
import { startPostgres } from "./embedded-postgres.ts";
import { superuserPassword, unusable } from "./superuser.ts";

/**
 * Connects to the database in `dataDir`, and creates it if necessary and `canCreate` is set. If PostgreSQL isn't running,
 * starts it, and stops it when the connection is closed. Throws OperatorError.
 */
export async function connectToCluster(
  dataDir: string,
  log: Log,
  canCreate: boolean,
): Promise<OwnerConnection> {
  if (canCreate) {
    await prepareDataDir(dataDir);
  } else if (!(await clusterExists(path.join(dataDir, "postgres")))) {
    throw new OperatorError(
      `There is no database in DATA_DIR ${dataDir}: set DATA_DIR to the site's folder.`,
    );
  }
  const running = await connectToRunning(dataDir);
  if (running !== undefined) return running;
  await using opened = new AsyncDisposableStack();
  const postgres = await startPostgres(dataDir, log);
  // Stop PostgreSQL even if connecting fails: otherwise, this process would keep running with DATA_DIR locked, and the
  // site could not start.
  opened.defer(postgres.stop);
  const client = opened.use(await postgres.connect());
  const kept = opened.move();
  return Object.assign(client, { [Symbol.asyncDispose]: () => kept.disposeAsync() });
}

async function connectToRunning(dataDir: string): Promise<OwnerConnection | undefined> {
  const endpoint = await readEndpoint(path.join(dataDir, "postgres"));
  if (endpoint === undefined) return undefined;
  const password = await superuserPassword(dataDir);
  const login = { ...endpoint, user: "postgres", password, database: "postgres" };
  return connect(login).catch((error) => {
    if (error instanceof pg.DatabaseError) throw unusable(dataDir, error);
    return undefined;
  });
}

/**
 * Reads the port and the socket's folder from lines 4 and 5 of postmaster.pid (src/include/utils/pidfile.h in
 * PostgreSQL's source). Returns undefined if there is no such file, because PostgreSQL isn't running.
 */
async function readEndpoint(folder: string): Promise<{ host: string; port: number } | undefined> {
  const file = await readFile(path.join(folder, "postmaster.pid"), "utf8").catch(() => "");
  const [, , , port, socketFolder] = file.split("\n").map((line) => line.trim());
  if (!port || !socketFolder) return undefined;
  return { host: path.resolve(folder, socketFolder), port: Number(port) };
}
