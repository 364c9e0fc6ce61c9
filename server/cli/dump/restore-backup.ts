import { stat } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import type { Backend } from "../../backends/types.ts";
import { systemErrorMessage } from "../../config/error-message.ts";
import { OperatorError } from "../../config/operator-error.ts";
import { showProgress } from "../../config/progress.ts";
import type { Log } from "../../http/log.ts";
import { createSchema, readMigrations, takeMigrationLock } from "../../postgres/migrations.ts";
import { markSeedDecided } from "../../postgres/seed.ts";
import { checkDamage, readDecompressed } from "./compression.ts";
import { END, END_OF_ROWS, parseCopyStatement, readHead } from "./dump-format.ts";
import { DUMPED_TABLES } from "./dumped-tables.ts";
import { splitLines } from "./lines.ts";

type Lines = AsyncGenerator<Buffer>;

const FIND_RELATION = `
  select format('%I.%I', nspname, relname) as name from pg_class c join pg_namespace n on n.oid = relnamespace
  where nspname not in ('pg_catalog', 'information_schema') and nspname !~ '^pg_(toast|temp)'
    and not exists (select from pg_depend where objid = c.oid and deptype = 'e')
  limit 1`;
// Loads rows unchanged: triggers must not set columns, and checks must not reject rows that are older than the checks.
// Forced row-level security is lifted meanwhile: it applies even to the tables' owner, and COPY can't load such tables.
const BEFORE_ROWS = `set local statement_timeout = 0; set local lock_timeout = 0;
  set local idle_in_transaction_session_timeout = 0;
  ${alterEach("disable trigger user", "no force row level security")}
  create temporary table suspended_checks on commit drop as
    select conname as name, pg_get_constraintdef(oid) as definition,
      case when contypid = 0 then 'table ' || conrelid::regclass else 'domain ' || contypid::regtype end as target
    from pg_constraint where contype = 'c' and connamespace = 'public'::regnamespace;
  do $$ declare suspended record; begin
    for suspended in select * from suspended_checks loop
      execute format('alter %s drop constraint %I', suspended.target, suspended.name);
    end loop;
  end $$`;
// If rows of an older backup violate a check, the check applies to new rows only.
const AFTER_ROWS = `do $$ declare suspended record; addition text; begin
    for suspended in select * from suspended_checks loop
      addition := format('alter %s add constraint %I %s', suspended.target, suspended.name, suspended.definition);
      begin
        execute addition;
      exception when check_violation then
        execute addition || ' not valid';
      end;
    end loop;
  end $$;
  ${alterEach("enable trigger user", "force row level security")}
  select setval(pg_get_serial_sequence('auth.refresh_tokens', 'id'), max(id)) from auth.refresh_tokens;
  select private.rebuild_derived()`;

function alterEach(triggers: string, security: string): string {
  return DUMPED_TABLES.map(
    (table) =>
      // `if exists`, because the schema of an older backup has fewer tables.
      `alter table if exists ${table} ${triggers}${table.startsWith("public.") ? `, ${security}` : ""};`,
  ).join("\n");
}

/**
 * Loads a dump, which may be compressed, into an empty database in one transaction. Returns how much it loaded, as text.
 * Throws OperatorError.
 */
export async function restoreBackup(backend: Backend, name: string, log: Log): Promise<string> {
  await using owner = await backend.connectAsOwner(log, true);
  const file = path.resolve(name);
  try {
    const size = await sizeOf(file);
    let read = 0;
    using progress = showProgress("Restoring", () => `${Math.floor((100 * read) / size)} %`);
    const lines = splitLines(
      readDecompressed(file, (bytes) => {
        read += bytes;
      }),
    );
    const migration = await blamingDamage(file, readVersion(lines, file));
    await prepare(owner, migration, backend.location);
    const rows = await blamingDamage(file, loadRows(owner, lines));
    await owner.query(AFTER_ROWS);
    await owner.query("commit");
    const accounts = await owner.query<{ count: number }>("select count(*)::int from auth.users");
    return `${accounts.rows[0]?.count} accounts, ${rows} rows, in ${progress.elapsed()}`;
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    throw new OperatorError(`The backup cannot be loaded (${error.message}): nothing was restored.`);
  }
}

async function sizeOf(file: string): Promise<number> {
  const { size } = await stat(file).catch((error) => {
    throw new OperatorError(`${file} cannot be read: ${systemErrorMessage(error)}.`);
  });
  if (size > 0) return size;
  throw new OperatorError(
    `${file} is empty, so the backup or its copy was not completed: nothing was restored.`,
  );
}

async function readVersion(lines: Lines, file: string): Promise<string> {
  const next = async () => String((await lines.next()).value);
  const title = await next().catch((error) => {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`${file} cannot be read: ${systemErrorMessage(error)}.`);
  });
  const migration = readHead(title, await next());
  const newest = (await readMigrations()).at(-1)?.version ?? "0";
  if (migration <= newest) return migration;
  throw new OperatorError(
    `The backup was made by a newer release of Techfolio (migration ${migration}; this one has ${newest}): update Techfolio first.`,
  );
}

/**
 * Returns what `reading` the file's text returns. If that fails and the compressed file is damaged, throws an error about
 * the damage: damaged data can decompress to wrong text, and only the checksum at the file's end reveals that.
 */
async function blamingDamage<T>(file: string, reading: Promise<T>): Promise<T> {
  return reading.catch(async (error) => {
    await checkDamage(file).catch((damage) => {
      throw damage instanceof OperatorError ? damage : error;
    });
    throw error;
  });
}

/** Begins a transaction that creates the schema. Throws OperatorError if the database isn't empty. */
async function prepare(owner: pg.Client, migration: string, location: string): Promise<void> {
  await owner.query("begin");
  // A server that starts now waits for this lock, and then finds either a complete site or an empty database.
  await takeMigrationLock(owner);
  const [relation] = (await owner.query<{ name: string }>(FIND_RELATION)).rows;
  if (relation !== undefined) {
    throw new OperatorError(
      `The database in ${location} is not empty (it has ${relation.name}): restore into a new one. Nothing was changed.`,
    );
  }
  await createSchema(owner, migration);
  await markSeedDecided(owner);
  await owner.query(BEFORE_ROWS);
}

/** Returns the number of rows. */
async function loadRows(owner: pg.Client, lines: Lines): Promise<number> {
  let last = "";
  let loaded = 0;
  for await (const line of lines) {
    // An editor may have added a blank line at the end.
    if (line.length === 0) continue;
    last = line.toString();
    const copy = parseCopyStatement(last);
    if (copy === undefined) continue;
    const loading = owner.query(copyFrom(copy));
    await pipeline(rows(lines), loading);
    loaded += loading.rowCount;
  }
  if (last !== END) throw incomplete();
  return loaded;
}

async function* rows(lines: Lines): AsyncGenerator<Buffer> {
  for (let line = await lines.next(); !line.done; line = await lines.next()) {
    if (line.value.length === END_OF_ROWS.length && line.value.toString() === END_OF_ROWS) return;
    yield Buffer.concat([line.value, Buffer.from("\n")]);
  }
  throw incomplete();
}

function incomplete(): OperatorError {
  return new OperatorError("The backup is incomplete (its end is missing): nothing was restored.");
}
