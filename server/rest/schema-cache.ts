import type { Database, Role } from "../postgres/database.ts";
import { excerpt, noColumn, RestError } from "./rest-error.ts";

export interface Table {
  name: string;
  columns: string[];
  /** The SQL expressions of the defaults, by column name. */
  defaults: Record<string, string>;
  primaryKey: string[];
  description: string | null;
  details: ColumnDetails[];
  /** The operations that each role may use on at least one column. */
  privileges: Partial<Record<Role, Operation[]>>;
}

export type Operation = "select" | "insert" | "update" | "delete";

export interface ColumnDetails {
  name: string;
  /** The type's name in SQL. For a domain, its base type. */
  type: string;
  nullable: boolean;
  /** The default as SQL. */
  default: string | null;
  description: string | null;
  /** The values of an enumeration. */
  values: string[] | null;
}

/** A foreign key with one column, seen from one of its two tables. */
export interface Relationship {
  /** The name of the foreign key's constraint. */
  constraint: string;
  table: string;
  column: string;
  otherTable: string;
  otherColumn: string;
  /** How rows of `table` relate to rows of `otherTable`. If it is many-to-one, `table` contains the foreign key. */
  cardinality: "many-to-one" | "one-to-one" | "one-to-many";
}

export const SCHEMA = "public";

// Selects only tables with row-level security, so that other tables are not exposed by mistake.
const TABLES = `
  select c.relname as name,
    (select json_agg(a.attname order by a.attnum) from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
    (select coalesce(json_object_agg(a.attname, case when a.attidentity = '' then pg_get_expr(d.adbin, d.adrelid)
        else format('nextval(%L)', pg_get_serial_sequence(a.attrelid::regclass::text, a.attname)) end), '{}')
      from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where a.attrelid = c.oid and a.attgenerated = '' and (d.oid is not null or a.attidentity = 'd')) as defaults,
    (select coalesce(json_agg(a.attname order by k.position), '[]')
      from pg_constraint p, unnest(p.conkey) with ordinality k (attnum, position), pg_attribute a
      where p.conrelid = c.oid and p.contype = 'p' and a.attrelid = c.oid and a.attnum = k.attnum) as "primaryKey",
    obj_description(c.oid, 'pg_class') as description,
    (select json_agg(json_build_object('name', a.attname, 'nullable', not a.attnotnull,
        'type', format_type(coalesce(nullif(t.typbasetype, 0), t.oid), null),
        'default', (select pg_get_expr(d.adbin, d.adrelid) from pg_attrdef d
          where d.adrelid = c.oid and d.adnum = a.attnum and a.attgenerated = ''),
        'description', col_description(c.oid, a.attnum),
        'values', (select json_agg(e.enumlabel order by e.enumsortorder) from pg_enum e where e.enumtypid = t.oid)
      ) order by a.attnum) from pg_attribute a join pg_type t on t.oid = a.atttypid
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as details,
    (select json_object_agg(role, (select coalesce(json_agg(operation), '[]')
        from unnest(array['select', 'insert', 'update', 'delete']) as operation
        where case operation when 'delete' then has_table_privilege(role, c.oid, operation)
          else has_any_column_privilege(role, c.oid, operation) end))
      from unnest(array['anon', 'authenticated', 'service_role']) as role) as privileges
  from pg_class c
  where c.relnamespace = to_regnamespace('${SCHEMA}') and c.relkind in ('r', 'p') and c.relrowsecurity
  order by c.relname`;

const RELATIONSHIPS = `
  select f.conname as "constraint", seen.*
  from pg_constraint f
  join pg_class t on t.oid = f.conrelid
  join pg_class r on r.oid = f.confrelid
  join pg_attribute a on a.attrelid = t.oid and a.attnum = f.conkey[1]
  join pg_attribute b on b.attrelid = r.oid and b.attnum = f.confkey[1]
  cross join lateral (values
    (t.relname, a.attname, r.relname, b.attname, 'many-to-one'),
    (r.relname, b.attname, t.relname, a.attname,
      case when exists (select from pg_index i where i.indrelid = t.oid and i.indisunique and i.indpred is null
        and i.indexprs is null and i.indkey::int2[] <@ f.conkey) then 'one-to-one' else 'one-to-many' end)
  ) as seen ("table", "column", "otherTable", "otherColumn", cardinality)
  where f.contype = 'f' and cardinality(f.conkey) = 1 and t.relrowsecurity and r.relrowsecurity
    and t.relnamespace = to_regnamespace('${SCHEMA}') and r.relnamespace = to_regnamespace('${SCHEMA}')
  order by f.conname`;

export function findColumn(table: Table, name: string): string {
  if (table.columns.includes(name)) return name;
  throw noColumn(table.name, name);
}

/**
 * The tables, columns and functions that clients can use. Every name from a request that appears in SQL must be in
 * here, except aliases.
 */
export interface SchemaCache {
  tables: Map<string, Table>;
  relationships: Relationship[];
  functions: Map<string, DatabaseFunction>;
  /** Functions of the schema that clients can't call although their roles may execute them. */
  hiddenFunctions: HiddenFunction[];
}

/** Throws DatabaseUnavailableError if the schema can't be read. */
export function readSchemaCache(database: Database): Promise<SchemaCache> {
  return database.transaction({ role: "anon" }, async (client) => {
    const tables = await client.query<Table>(TABLES);
    const relationships = await client.query<Relationship>(RELATIONSHIPS);
    const functions = (await client.query<FoundFunction>(FUNCTIONS)).rows;
    return {
      tables: byName(tables.rows),
      relationships: relationships.rows,
      functions: byName(functions.filter(({ hiddenBecause }) => hiddenBecause === null)),
      hiddenFunctions: functions.flatMap(({ name, roles, hiddenBecause }) =>
        hiddenBecause === null
          ? []
          : { name, isGrantedByName: roles.some((role) => role !== "service_role"), reason: hiddenBecause },
      ),
    };
  });
}

function byName<Named extends { name: string }>(rows: Named[]): Map<string, Named> {
  return new Map(rows.map((row) => [row.name, row]));
}

export function findTable(schemaCache: SchemaCache, name: string): Table {
  const table = schemaCache.tables.get(name);
  if (table !== undefined) return table;
  const message = `Could not find the table '${SCHEMA}.${excerpt(name)}' in the schema cache`;
  throw new RestError(404, "PGRST205", message);
}

export interface DatabaseFunction {
  name: string;
  arguments: { name: string; type: string; required: boolean }[];
  /** The table of the returned rows, or null if the function returns JSON values. */
  table: string | null;
  description: string | null;
  roles: Role[];
  /** Whether it may write. Only the service key can call such a function, and only with POST. */
  mayWrite: boolean;
}

interface HiddenFunction {
  name: string;
  /** Whether visitors or members may execute it, other than through a grant to PUBLIC. */
  isGrantedByName: boolean;
  /** The end of a sentence. */
  reason: string;
}

interface FoundFunction extends DatabaseFunction {
  hiddenBecause: string | null;
}

// Exposed are functions that return JSON values or rows of an exposed table, and that are granted to a client's role by
// name. A grant to PUBLIC isn't enough, because PostgreSQL gives it to new functions by default. Functions that may write
// are exposed only to the service key.
const FUNCTIONS = `
  select p.proname as name, coalesce(g.roles, '{}') as roles, p.provolatile = 'v' as "mayWrite", t.relname as "table", obj_description(p.oid, 'pg_proc') as description,
    (select coalesce(json_agg(json_build_object('name', a.name, 'type', format_type(a.type, null),
        'required', a.position <= p.pronargs - p.pronargdefaults) order by a.position), '[]')
      from unnest(p.proargtypes::oid[], p.proargnames) with ordinality as a (type, name, position)) as arguments,
    case
      when count(*) over (partition by p.proname) > 1 then 'several functions have this name'
      when p.prokind <> 'f' then 'it is not a plain function'
      when p.provolatile = 'v' and g.roles is distinct from '{service_role}'
        then 'it may write, because it is declared neither stable nor immutable'
      when p.proargmodes is not null or not p.proretset or (p.prorettype <> 'json'::regtype and t.oid is null)
        then 'it returns neither setof json nor rows of an exposed table'
      when g.roles is null then 'it is not granted to anon, authenticated or service_role by name'
    end as "hiddenBecause"
  from pg_proc p left join pg_class t on t.reltype = p.prorettype and t.relrowsecurity
    and t.relnamespace = p.pronamespace and t.relkind in ('r', 'p')
  cross join lateral (
    select array_agg(r.rolname::text) as roles from aclexplode(p.proacl) e join pg_roles r on r.oid = e.grantee
    where r.rolname in ('anon', 'authenticated', 'service_role')) as g
  where p.pronamespace = to_regnamespace('${SCHEMA}') and p.prorettype not in ('trigger'::regtype, 'event_trigger'::regtype)
    and (has_function_privilege('anon', p.oid, 'execute') or has_function_privilege('authenticated', p.oid, 'execute')
      or has_function_privilege('service_role', p.oid, 'execute'))
  order by p.proname`;

/**
 * Throws RestError PGRST202 for an unknown function or wrong arguments, and 42501 if `role` may not call the function.
 */
export function findFunction(
  { functions, hiddenFunctions }: SchemaCache,
  name: string,
  sent: string[],
  role: Role,
): DatabaseFunction {
  const candidate = functions.get(name);
  const accepted = new Set(candidate?.arguments.map((argument) => argument.name));
  const isComplete = candidate?.arguments.every(({ name, required }) => !required || sent.includes(name));
  if (!candidate || !isComplete || !sent.every((argument) => accepted.has(argument))) {
    const called = `${SCHEMA}.${excerpt(name)}${sent.length > 0 ? `(${excerpt(sent.join(", "))})` : " without parameters"}`;
    const message = `Could not find the function ${called} in the schema cache`;
    const hidden = hiddenFunctions.find((other) => other.name === name);
    const hint = candidate
      ? `The arguments of ${name} are: ${[...accepted].join(", ") || "none"}.`
      : hidden && `The database has this function, but the API does not expose it: ${hidden.reason}.`;
    throw new RestError(404, "PGRST202", message, hint === undefined ? {} : { hint });
  }
  if (candidate.roles.includes(role)) return candidate;
  throw new RestError(role === "anon" ? 401 : 403, "42501", `permission denied for function ${name}`);
}
