import type pg from "pg";
import type { Role } from "../postgres/database.ts";
import { quoted, RestError } from "./rest-error.ts";
import { SCHEMA } from "./tables.ts";

export interface DatabaseFunction {
  name: string;
  arguments: { name: string; type: string; required: boolean }[];
  roles: Role[];
}

// Only functions that read, answer with JSON and are granted by name: what PUBLIC may execute is not exposed.
const FUNCTIONS = `
  select p.proname as name, g.roles,
    (select coalesce(json_agg(json_build_object('name', a.name, 'type', format_type(a.type, null),
        'required', a.position <= p.pronargs - p.pronargdefaults) order by a.position), '[]')
      from unnest(p.proargtypes::oid[], p.proargnames) with ordinality as a (type, name, position)) as arguments
  from pg_proc p cross join lateral (
    select array_agg(r.rolname::text) as roles from aclexplode(p.proacl) e join pg_roles r on r.oid = e.grantee
    where r.rolname in ('anon', 'authenticated', 'service_role')) as g
  where p.pronamespace = to_regnamespace('${SCHEMA}') and p.prokind = 'f' and p.provolatile <> 'v'
    and p.proretset and p.prorettype = 'json'::regtype and p.proargmodes is null and g.roles is not null`;

export async function readFunctions(client: pg.PoolClient): Promise<Map<string, DatabaseFunction>> {
  const { rows } = await client.query<DatabaseFunction>(FUNCTIONS);
  return new Map(rows.map((row) => [row.name, row]));
}

/** Throws RestError PGRST202 or 42501. */
export function findFunction(
  functions: Map<string, DatabaseFunction>,
  name: string,
  sent: string[],
  role: Role,
): DatabaseFunction {
  const found = functions.get(name);
  const known = new Set(found?.arguments.map((argument) => argument.name));
  const isComplete = found?.arguments.every((argument) => !argument.required || sent.includes(argument.name));
  if (!found || !isComplete || !sent.every((argument) => known.has(argument))) {
    const called = `${SCHEMA}.${quoted(name)}${sent.length > 0 ? `(${quoted(sent.join(", "))})` : " without parameters"}`;
    const message = `Could not find the function ${called} in the schema cache`;
    throw new RestError(404, "PGRST202", message);
  }
  if (found.roles.includes(role)) return found;
  throw new RestError(role === "anon" ? 401 : 403, "42501", `permission denied for function ${name}`);
}
