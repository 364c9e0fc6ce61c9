import path from "node:path";
import type pg from "pg";
import type { Settings } from "../../config/settings.ts";
import { BUNDLED_VERSION } from "../../postgres/embedded/binaries.ts";
import { clusterExists } from "../../postgres/embedded/cluster.ts";
import { readPassword } from "../../postgres/embedded/superuser.ts";
import { checkServing, connect, inspect } from "../../postgres/external-server.ts";
import { readMigrations } from "../../postgres/migrations.ts";
import { connectToRunning } from "../backup/site-database.ts";
import { compareClocks } from "./clock.ts";
import { type Finding, ok, problem } from "./finding.ts";

/** Takes the settings, returns how the database of DATABASE_URL or the embedded one is. Changes nothing. */
export function checkDatabase({ databaseUrl, dataDir }: Settings): Promise<Finding[]> {
  return databaseUrl === undefined ? checkEmbedded(dataDir) : checkExternal(databaseUrl);
}

async function checkExternal(url: string): Promise<Finding[]> {
  const client = await connect(url);
  try {
    const login = await inspect(client);
    if (!login.owns) await checkServing(client, login);
    const reached = ok("database", `DATABASE_URL leads to PostgreSQL ${login.version}.`);
    return [reached, await checkMigrations(client), await checkClock(client)];
  } finally {
    await client.end();
  }
}

async function checkEmbedded(dataDir: string): Promise<Finding[]> {
  if (!(await clusterExists(path.join(dataDir, "postgres")))) {
    return [ok("database", `A database of PostgreSQL ${BUNDLED_VERSION} will be made by the first start.`)];
  }
  await readPassword(dataDir);
  const running = await connectToRunning(dataDir);
  if (running === undefined) {
    return [
      ok(
        "database",
        `The database is one of PostgreSQL ${BUNDLED_VERSION}; it stands still and starts with the site.`,
      ),
    ];
  }
  try {
    return [ok("database", `PostgreSQL ${BUNDLED_VERSION} answers.`), await checkMigrations(running.client)];
  } finally {
    await running.close();
  }
}

async function checkMigrations(client: pg.Client): Promise<Finding> {
  const known = (await readMigrations()).map(({ version }) => version);
  const table = await client.query<{ there: boolean }>(
    "select to_regclass('supabase_migrations.schema_migrations') is not null as there",
  );
  const { rows } =
    table.rows[0]?.there === true
      ? await client.query<{ version: string }>("select version from supabase_migrations.schema_migrations")
      : { rows: [] };
  const applied = new Set(rows.map(({ version }) => version));
  const newer = [...applied].find((version) => !known.includes(version));
  if (newer !== undefined) {
    return problem(
      "migrations",
      `The database has the migration ${newer}, which this release does not know: update Techfolio, or restore a backup from before.`,
    );
  }
  const pending = known.filter((version) => !applied.has(version));
  return ok(
    "migrations",
    pending.length === 0 ? "All migrations are applied." : `The next start applies ${pending.join(", ")}.`,
  );
}

async function checkClock(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ now: Date }>("select clock_timestamp() as now");
  return compareClocks("the server of DATABASE_URL", rows[0]?.now ?? new Date(0));
}
