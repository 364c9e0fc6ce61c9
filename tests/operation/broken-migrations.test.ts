import pg from "pg";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { type Migration, migrate, readMigrations } from "../../server/postgres/migrations.ts";
import { startExternalServer } from "../support/external-server.ts";

const migrations = await readMigrations();

const server = await startExternalServer();
afterAll(() => server.stop());

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

function statementsOf(sql: string): string[] {
  const parts =
    sql.match(/--[^\n]*|\/\*.*?\*\/|'(?:[^']|'')*'|"[^"]*"|(\$\w*\$).*?\1|;|[^;'"$/-]+|./gs) ?? [];
  const statements: string[] = [];
  let statement = "";
  for (const part of parts) {
    statement += part;
    if (part !== ";") continue;
    statements.push(statement);
    statement = "";
  }
  return statements;
}

/**
 * Returns the database's objects and privileges as text. Omits PostgreSQL's own functions, which have an OID below
 * 16384, unless their privileges were changed.
 */
async function schemaOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ schema: string }>(`
    select string_agg(line, chr(10) order by line) as schema from (
      select concat_ws(' ', 'class', relnamespace::regnamespace, relname, relkind, relacl, relrowsecurity, relforcerowsecurity)
        as line from pg_class where relnamespace::regnamespace::text !~ '^pg_(toast|temp)'
      union all select concat_ws(' ', 'column', attrelid::regclass, attname, atttypid::regtype, attnotnull, attacl)
        from pg_attribute join pg_class on attrelid = pg_class.oid where relnamespace::regnamespace::text !~ '^pg_' and attnum > 0
      union all select concat_ws(' ', 'function', oid::regprocedure, proacl, prosecdef, md5(prosrc)) from pg_proc
        where oid >= 16384 or proacl is not null
      union all select concat_ws(' ', 'policy', polrelid::regclass, polname) from pg_policy
      union all select concat_ws(' ', 'trigger', tgrelid::regclass, tgname) from pg_trigger where not tgisinternal
      union all select concat_ws(' ', 'constraint', conrelid::regclass, conname, pg_get_constraintdef(oid)) from pg_constraint
      union all select concat_ws(' ', 'schema', nspname, nspacl) from pg_namespace where nspname !~ '^pg_(toast|temp)'
      union all select concat_ws(' ', 'extension', extname) from pg_extension
      union all select concat_ws(' ', 'default', defaclrole::regrole, defaclobjtype, defaclacl) from pg_default_acl
      union all select concat_ws(' ', 'migration', version) from supabase_migrations.schema_migrations
    ) as lines`);
  return rows[0]?.schema ?? "";
}

/** How often each migration runs at most. A long one fails only at every few statements, because each run takes a second. */
const MAX_FAILURES = 8;

function broken({ version, name }: Migration, statements: string[], after: number): Migration {
  const sql = [...statements.slice(0, after), "select 1 / 0;", ...statements.slice(after)].join("");
  return { version, name, sql };
}

describe.each(migrations.map((migration, at) => ({ ...migration, at })))(
  "migration $version $name",
  (migration) => {
    test("a migration that fails at a statement, from the first to the last, leaves the schema unchanged", async () => {
      const client = await connect(await server.createDatabase());
      const earlier = migrations.slice(0, migration.at);
      await migrate(client, earlier);
      const before = await schemaOf(client);
      const statements = statementsOf(migration.sql);
      expect(statements.length).toBeGreaterThan(0);
      const step = Math.ceil(statements.length / MAX_FAILURES);
      for (let after = 0; after <= statements.length; after += step) {
        await expect(migrate(client, [...earlier, broken(migration, statements, after)])).rejects.toThrow(
          "division by zero",
        );
        expect(await schemaOf(client), `after statement ${after}`).toBe(before);
      }
      expect(await migrate(client, [...earlier, migration])).toEqual([migration.version]);
      expect(await schemaOf(client)).not.toBe(before);
    });
  },
);
