import pg from "pg";

/** To be opened with `await using`, which closes it. */
export interface OwnerConnection extends AsyncDisposable {
  client: pg.Client;
}

const CONNECT_TIMEOUT_MS = 5_000;

/** A connection whose loss does not end the process. Throws what pg says. */
export async function connect(config: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client({ ...config, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on("error", () => undefined);
  await client.connect();
  return client;
}
