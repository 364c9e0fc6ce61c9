import type pg from "pg";
import { KINDS } from "../../../common/kinds/index.ts";
import { OperatorError } from "../../config/operator-error.ts";

// Dumps exclude sessions and one-time tokens by default, because anyone who steals a dump could use them to enter
// accounts. After a restore without sessions, members have to sign in again.
const SESSIONS = [
  "auth.sessions",
  "auth.provider_sessions",
  "auth.mfa_amr_claims",
  "auth.refresh_tokens",
  "auth.one_time_tokens",
  "private.invitation_emails",
];

/** A Supabase project stores pictures as files, so the rows of these tables can't be loaded into it. */
const PICTURES = ["storage.objects", "storage.object_parts"];

/** Each table follows the tables that it references, so that rows satisfy foreign keys while they are loaded. */
export const DUMPED_TABLES = [
  "auth.users",
  "auth.identities",
  "auth.webauthn_credentials",
  // Before their emails. The digests of their codes can't be used, so that a link on a poster outlives a restore.
  "private.invitation_links",
  ...SESSIONS,
  "public.profiles",
  "public.skills",
  ...KINDS.map(({ table }) => `public.${table}`),
  "public.versions",
  "public.operator_log",
  ...PICTURES,
];

export interface DumpParts {
  withSessions: boolean;
  withPictures: boolean;
}

export interface DumpedTable {
  name: string;
  columns: string;
}

const DESCRIBE = `
  select name, row_security_active(name::regclass) and not pg_has_role('service_role', 'usage') as "isHidden",
    (select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
      where attrelid = name::regclass and attnum > 0 and not attisdropped and attgenerated = '') as columns
  from unnest($1::text[]) with ordinality as dumped (name, position)
  -- Skip tables that a database of an earlier release lacks.
  where to_regclass(name) is not null order by position`;

/**
 * Returns the tables and columns to dump. Throws OperatorError if row-level security hides rows from the login, because
 * the dump would be incomplete.
 */
export async function describeTables(client: pg.ClientBase, parts: DumpParts): Promise<DumpedTable[]> {
  const { withSessions, withPictures } = parts;
  const dumped = DUMPED_TABLES.filter(
    (name) => (withSessions || !SESSIONS.includes(name)) && (withPictures || !PICTURES.includes(name)),
  );
  const { rows } = await client.query<DumpedTable & { isHidden: boolean }>(DESCRIBE, [dumped]);
  const hidden = rows.find(({ isHidden }) => isHidden);
  if (hidden === undefined) return rows;
  throw new OperatorError(
    `The login in DATABASE_URL cannot read all rows of ${hidden.name}: use the login of the database's owner.`,
  );
}
