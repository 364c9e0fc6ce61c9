import type pg from "pg";
import { CommandError } from "../command-error.ts";

export interface Table {
  schema: string;
  name: string;
  sql: string;
  /** Those that are stored and not computed, in their order, as SQL. */
  columns: string[];
  forced: boolean;
}

interface Row extends Table {
  oid: number;
  parents: number[];
  /** Whether row-level security holds for whoever asks. */
  filtered: boolean;
}

// With these a stolen dump would sign its thief in. Without them everyone signs in again.
const SESSIONS = ["sessions", "refresh_tokens", "mfa_amr_claims"];
// Lives for minutes and means nothing elsewhere.
const SHORT_LIVED = ["flow_state", "rate_limits"];

const LIST_TABLES = `
  select c.oid::int, n.nspname::text as schema, c.relname::text as name, c.relforcerowsecurity as forced,
    row_security_active(c.oid) and not pg_has_role('service_role', 'usage') as filtered,
    format('%I.%I', n.nspname, c.relname) as sql,
    array(select quote_ident(attname) from pg_attribute
      where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum) as columns,
    array(select distinct confrelid::int from pg_constraint
      where conrelid = c.oid and contype = 'f' and confrelid <> c.oid) as parents
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and n.nspname in ('auth', 'public', 'supabase_migrations')
    and not exists (select from pg_depend where objid = c.oid and deptype = 'e')
  order by n.nspname, c.relname`;

/** As the owner, each behind those that its foreign keys point to. Throws CommandError when row-level security hides rows. */
export async function readTables(client: pg.ClientBase, withSessions: boolean): Promise<Table[]> {
  const left = new Set(withSessions ? SHORT_LIVED : [...SHORT_LIVED, ...SESSIONS]);
  const { rows } = await client.query<Row>(LIST_TABLES);
  const wanted = rows.filter(({ schema, name }) => schema !== "auth" || !left.has(name));
  const hidden = wanted.find(({ filtered }) => filtered);
  if (hidden !== undefined) {
    throw new CommandError(
      `The login of DATABASE_URL may not read all rows of ${hidden.sql}: use the login of the database's owner.`,
    );
  }
  return inOrder(wanted);
}

function inOrder(tables: Row[]): Row[] {
  const ordered: Row[] = [];
  const visit = (table: Row) => {
    if (ordered.includes(table)) return;
    for (const parent of tables) if (table.parents.includes(parent.oid)) visit(parent);
    ordered.push(table);
  };
  tables.forEach(visit);
  return ordered;
}
