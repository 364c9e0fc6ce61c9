import pg from "pg";
import { CONNECTION_SETTINGS } from "./connection-settings.ts";

export type OwnerConnection = pg.Client & AsyncDisposable;

const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Opens a connection outside the pool, for work that needs the rights of the tables' owner, such as migrations. Throws
 * pg's errors. If the connection is lost later, the next query fails, but the process doesn't crash.
 */
export async function connect(config: pg.ClientConfig): Promise<OwnerConnection> {
  const client = new pg.Client({ ...config, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on("error", () => undefined);
  await client.connect();
  await client.query(CONNECTION_SETTINGS);
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}
