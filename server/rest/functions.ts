import type pg from "pg";
import type { Role } from "../postgres/database.ts";
import { quoted, RestError } from "./rest-error.ts";
import { type Column, SCHEMA, type Table } from "./tables.ts";

export interface DatabaseFunction {
  name: string;
  arguments: { name: string; type: string; required: boolean }[];
  returns: "void" | "value" | "row";
  returnsSet: boolean;
  isVolatile: boolean;
  roles: Role[];
  /** What a result can be filtered and sorted by: a table, or columns that only this function has. */
  result: Table;
}

interface FunctionRow extends Omit<DatabaseFunction, "result"> {
  table: string | null;
  columns: Column[];
}

// Only functions that a migration grants by name: every new function is executable by PUBLIC, which exposes nothing.
const FUNCTIONS = `
  select p.proname as name, p.proretset as "returnsSet", p.provolatile = 'v' as "isVolatile", g.roles,
    (select coalesce(json_agg(json_build_object('name', coalesce(a.name, ''), 'type', format_type(a.type, null),
        'required', a.position <= p.pronargs - p.pronargdefaults) order by a.position), '[]')
      from (select name, type, row_number() over (order by i) as position
        from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[]), p.proargnames, p.proargmodes)
          with ordinality as parameter (type, name, mode, i)
        where coalesce(mode, 'i') in ('i', 'b')) as a) as arguments,
    case when t.oid = 'void'::regtype then 'void'
      when t.typtype = 'c' or p.proargmodes && '{t,b,o}'::"char"[] then 'row' else 'value' end as returns,
    case when c.relnamespace = p.pronamespace then c.relname end as table,
    (select coalesce(json_agg(json_build_object('name', name, 'type', format_type(type, null)) order by i), '[]')
      from (select attname as name, atttypid as type, attnum as i from pg_attribute
          where attrelid = c.oid and attnum > 0 and not attisdropped
        union all
        select name, type, i from unnest(p.proallargtypes, p.proargnames, p.proargmodes)
          with ordinality as parameter (type, name, mode, i) where mode in ('t', 'b', 'o')) as r) as columns
  from pg_proc p
  join pg_type t on t.oid = p.prorettype
  left join pg_class c on c.oid = nullif(t.typrelid, 0)
  cross join lateral (
    select array_agg(r.rolname::text) as roles from aclexplode(p.proacl) e join pg_roles r on r.oid = e.grantee
    where r.rolname in ('anon', 'authenticated', 'service_role')) as g
  where p.pronamespace = to_regnamespace('${SCHEMA}') and p.prokind = 'f' and p.provariadic = 0
    and p.prorettype not in ('trigger'::regtype, 'event_trigger'::regtype) and g.roles is not null`;

export async function readFunctions(
  client: pg.PoolClient,
  tables: Map<string, Table>,
): Promise<DatabaseFunction[]> {
  const { rows } = await client.query<FunctionRow>(FUNCTIONS);
  return rows
    .filter((row) => row.arguments.every(({ name }) => name !== ""))
    .map(({ table, columns, ...row }) => ({
      ...row,
      result: tables.get(table ?? "") ?? ownResult(row, columns),
    }));
}

function ownResult({ name, returns }: Omit<DatabaseFunction, "result">, columns: Column[]): Table {
  const shown = returns === "row" ? columns : [{ name: "value", type: "text" }];
  return { name, primaryKey: [], columns: new Map(shown.map((column) => [column.name, column])) };
}

export function findFunction(
  functions: DatabaseFunction[],
  name: string,
  sent: string[],
  role: Role,
): DatabaseFunction {
  const [found, another] = functions.filter(
    (each) =>
      each.name === name &&
      sent.every((argument) => each.arguments.some((known) => known.name === argument)) &&
      each.arguments.every((known) => !known.required || sent.includes(known.name)),
  );
  if (found === undefined) throw unknownFunction(name, sent);
  if (another !== undefined) {
    throw new RestError(300, "PGRST203", `Could not choose the best candidate function for ${name}`);
  }
  if (!found.roles.includes(role)) {
    throw new RestError(role === "anon" ? 401 : 403, "42501", `permission denied for function ${name}`);
  }
  return found;
}

function unknownFunction(name: string, sent: string[]): RestError {
  const called = `${SCHEMA}.${quoted(name)}`;
  const names = quoted(sent.join(", "));
  const message = `Could not find the function ${called}${sent.length > 0 ? `(${names})` : " without parameters"} in the schema cache`;
  const parameters =
    sent.length > 0 ? `with parameter${sent.length > 1 ? "s" : ""} ${names}` : "without parameters";
  return new RestError(404, "PGRST202", message, {
    details: `Searched for the function ${called} ${parameters}, but no matches were found in the schema cache.`,
  });
}
