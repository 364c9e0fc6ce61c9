import type pg from "pg";

/** One fault that a migration could contain: a statement that leaves out or changes a single clause of the schema. */
export interface SqlFault {
  area: "policies" | "grants" | "triggers" | "indexes" | "checks";
  name: string;
  sql: string;
}

const API_ROLES = ["anon", "authenticated", "service_role"];

/**
 * The policies of pictures name a member's folder in two ways, for two indexes (supabase/schemas/12_pictures.sql). One alone
 * selects the same rows.
 */
const EQUIVALENT = /^using \(\(bucket_id = 'pictures'::text\) AND/;

/** Reads the schema of a migrated database, and returns the faults that can be planted in it. */
export async function listSqlFaults(client: pg.ClientBase): Promise<SqlFault[]> {
  const lists = [listPolicyFaults, listGrantFaults, listTriggerFaults, listIndexFaults, listCheckFaults];
  const faults: SqlFault[] = [];
  for (const list of lists) faults.push(...(await list(client)));
  return faults;
}

async function listPolicyFaults(client: pg.ClientBase): Promise<SqlFault[]> {
  const area = "policies";
  const { rows: tables } = await client.query<{ table: string; forced: boolean }>(
    `select oid::regclass::text as table, relforcerowsecurity as forced from pg_class
     where relnamespace::regnamespace::text in ('public', 'storage', 'auth') and relrowsecurity order by 1`,
  );
  const { rows: policies } = await client.query<Policy>(
    `select policyname as name, format('%I.%I', schemaname, tablename) as table, qual as using, with_check as "withCheck"
     from pg_policies order by 2, 1`,
  );
  return [
    ...tables.flatMap(({ table, forced }) => [
      {
        area,
        name: `${table}: no row-level security`,
        sql: `alter table ${table} disable row level security`,
      },
      ...(forced
        ? [{ area, name: `${table}: not forced`, sql: `alter table ${table} no force row level security` }]
        : []),
    ]),
    ...policies.flatMap((policy) => listFaultsOfPolicy(policy)),
  ] as SqlFault[];
}

interface Policy {
  name: string;
  table: string;
  using: string | null;
  withCheck: string | null;
}

function listFaultsOfPolicy({ name, table, using, withCheck }: Policy): SqlFault[] {
  const area = "policies";
  const change = (what: string, clause: string): SqlFault => ({
    area,
    name: `${table}, ${name}: ${what}`,
    sql: `alter policy ${name} on ${table} ${clause}`,
  });
  const conditions = (clause: string, condition: string | null) =>
    condition === null || condition === "true"
      ? []
      : ["true", ...leaveOutEach(condition)]
          .map((rest) => `${clause} (${rest})`)
          .filter((changed) => !EQUIVALENT.test(changed))
          .map((changed) => change(changed, changed));
  return [
    { area, name: `${table}, ${name}: left out`, sql: `drop policy ${name} on ${table}` },
    change("for all roles", "to public"),
    ...conditions("using", using),
    ...conditions("with check", withCheck),
  ];
}

async function listGrantFaults(client: pg.ClientBase): Promise<SqlFault[]> {
  const { rows } = await client.query<{ object: string; role: string; right: string }>(
    `with objects as (
       select 'table ' || oid::regclass as object, coalesce(relacl, acldefault('r', relowner)) as rights from pg_class
         where relkind in ('r', 'v', 'm', 'p') and relnamespace::regnamespace::text in ('public', 'private', 'storage', 'auth')
       union all select 'function ' || oid::regprocedure, coalesce(proacl, acldefault('f', proowner)) from pg_proc
         where pronamespace::regnamespace::text in ('public', 'private', 'storage', 'auth')
       union all select 'schema ' || nspname, coalesce(nspacl, acldefault('n', nspowner)) from pg_namespace
         where nspname in ('public', 'private', 'storage', 'auth')
     ), roles as (select oid, rolname as role from pg_roles union all select 0, 'public')
     select object, role, lower(privilege_type) as right
     from objects cross join aclexplode(rights) join roles on roles.oid = grantee
     where role <> 'postgres' order by 1, 2, 3`,
  );
  const { rows: tables } = await client.query<{ table: string; isPublic: boolean }>(
    `select oid::regclass::text as table, relnamespace = 'public'::regnamespace as "isPublic" from pg_class
     where relkind in ('r', 'v', 'm', 'p') and relnamespace::regnamespace::text in ('public', 'private', 'storage', 'auth')
     order by 1`,
  );
  // Clients can't call a trigger's function, even if they may execute it.
  const { rows: functions } = await client.query<{ name: string }>(
    `select 'function ' || oid::regprocedure as name from pg_proc
     where pronamespace::regnamespace::text in ('public', 'private', 'storage', 'auth') and prorettype <> 'trigger'::regtype
     order by 1`,
  );
  const granted = new Set(rows.map(({ object, role, right }) => `${right} on ${object} to ${role}`));
  const revoked = rows
    .filter(({ right }) => ["select", "insert", "update", "delete", "execute", "usage"].includes(right))
    .map(({ object, role, right }) => `revoke ${right} on ${object} from ${role}`);
  const added = [
    ...tables.flatMap(({ table, isPublic }) => {
      const each = ["select", "insert", "update", "delete"];
      return API_ROLES.flatMap((role) => {
        const missing = each.filter((right) => !granted.has(`${right} on table ${table} to ${role}`));
        // Clients reach only the schema public. There, each right is a separate fault.
        const rights = isPublic || missing.length === 0 ? missing : [missing.join()];
        return rights.map((right) => `${right} on table ${table} to ${role}`);
      });
    }),
    ...functions.flatMap(({ name }) => {
      // No client may call most functions. For those, the usual fault is a missing `revoke`.
      const roles = API_ROLES.filter((role) => !granted.has(`execute on ${name} to ${role}`));
      if (roles.length === 0) return [];
      return [...(roles.length < API_ROLES.length ? roles : []), "public"].map(
        (role) => `execute on ${name} to ${role}`,
      );
    }),
  ]
    .filter((grant) => !granted.has(grant) && !granted.has(grant.replace(/ to \w+$/, " to public")))
    .map((grant) => `grant ${grant}`);
  return [...revoked, ...added].map((sql) => ({ area: "grants", name: sql, sql }));
}

async function listTriggerFaults(client: pg.ClientBase): Promise<SqlFault[]> {
  const { rows } = await client.query<{ name: string; table: string; definition: string }>(
    `select quote_ident(tgname) as name, tgrelid::regclass::text as table, pg_get_triggerdef(t.oid) as definition
     from pg_trigger t where not tgisinternal order by 2, 1`,
  );
  return rows.flatMap(({ name, table, definition }) => {
    const drop = `drop trigger ${name} on ${table}`;
    return [
      { area: "triggers", name: `${table}, ${name}: left out`, sql: drop },
      ...changedTriggers(definition).map((changed) => ({
        area: "triggers",
        name: `${table}, ${name}: ${changed}`,
        sql: `${drop}; ${changed}`,
      })),
    ] as SqlFault[];
  });
}

/** A trigger's definition without its condition, or without one of its events. */
function changedTriggers(definition: string): string[] {
  const condition = / WHEN \(.*\) (?=EXECUTE FUNCTION)/.exec(definition)?.[0];
  const [, events = ""] = /(?:BEFORE|AFTER) (.*?) ON /.exec(definition) ?? [];
  const each = events.split(" OR ");
  const rest = each.map((event) => each.filter((other) => other !== event).join(" OR "));
  return [
    ...(condition === undefined ? [] : [definition.replace(condition, " ")]),
    ...(each.length === 1 ? [] : rest.map((kept) => definition.replace(events, kept))),
  ];
}

async function listIndexFaults(client: pg.ClientBase): Promise<SqlFault[]> {
  const { rows } = await client.query<{ index: string; definition: string }>(
    `select indexrelid::regclass::text as index, pg_get_indexdef(indexrelid) as definition
     from pg_index join pg_class c on c.oid = indexrelid
     where c.relnamespace::regnamespace::text in ('public', 'private', 'storage', 'auth')
       and not exists (select from pg_constraint where conindid = indexrelid) order by 1`,
  );
  return rows.flatMap(({ index, definition }) => {
    const drop = `drop index ${index}`;
    const changed = [
      ...(definition.startsWith("CREATE UNIQUE") ? [definition.replace("CREATE UNIQUE", "CREATE")] : []),
      ...(definition.includes(" WHERE ") ? [definition.replace(/ WHERE .*/, "")] : []),
    ];
    return [
      { area: "indexes", name: `${index}: left out`, sql: drop },
      ...changed.map((sql) => ({ area: "indexes", name: `${index}: ${sql}`, sql: `${drop}; ${sql}` })),
    ] as SqlFault[];
  });
}

async function listCheckFaults(client: pg.ClientBase): Promise<SqlFault[]> {
  const { rows } = await client.query<{ owner: string; name: string; kind: string; definition: string }>(
    `select case when contypid = 0 then 'table ' || conrelid::regclass else 'domain ' || contypid::regtype end as owner,
       quote_ident(conname) as name, contype as kind, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype in ('c', 'u', 'f') and connamespace::regnamespace::text in ('public', 'private')
     order by 1, 2`,
  );
  const { rows: columns } = await client.query<{
    table: string;
    column: string;
    isRequired: boolean;
    fallback: boolean;
  }>(
    `select attrelid::regclass::text as table, quote_ident(attname) as column, attnotnull as "isRequired",
       atthasdef and attgenerated = '' as fallback
     from pg_attribute join pg_class c on c.oid = attrelid
     where relkind = 'r' and relnamespace::regnamespace::text in ('public', 'private') and attnum > 0 and not attisdropped
     order by 1, attnum`,
  );
  const alter = (table: string, column: string, what: string): SqlFault => ({
    area: "checks",
    name: `${table}.${column}: ${what}`,
    sql: `alter table ${table} alter column ${column} ${what}`,
  });
  return [
    ...rows.flatMap(({ owner, name, kind, definition }) => {
      const drop = `alter ${owner} drop constraint ${name}`;
      const condition = /^CHECK \((.*)\)$/s.exec(definition)?.[1];
      const parts = kind === "c" && condition !== undefined ? leaveOutEach(condition) : [];
      return [
        { area: "checks", name: `${owner}, ${name}: left out`, sql: drop },
        ...parts.map((rest) => ({
          area: "checks",
          name: `${owner}, ${name}: only ${rest}`,
          sql: `${drop}; alter ${owner} add constraint ${name} check (${rest})`,
        })),
      ] as SqlFault[];
    }),
    ...columns.flatMap(({ table, column, isRequired, fallback }) => [
      ...(isRequired ? [alter(table, column, "drop not null")] : []),
      ...(fallback ? [alter(table, column, "drop default")] : []),
    ]),
  ];
}

/** A condition of several parts, without each of its parts. */
function leaveOutEach(condition: string): string[] {
  for (const operator of [" AND ", " OR "]) {
    const parts = split(withoutParentheses(condition), operator);
    if (parts.length > 1) return parts.map((part) => parts.filter((other) => other !== part).join(operator));
  }
  return [];
}

/** Splits an expression at an operator that is outside parentheses and quotes. */
function split(expression: string, operator: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < expression.length; at += 1) {
    const character = expression[at];
    if (character === "'") at = expression.indexOf("'", at + 1);
    else if (character === "(") depth += 1;
    else if (character === ")") depth -= 1;
    else if (depth === 0 && expression.startsWith(operator, at)) {
      parts.push(expression.slice(start, at));
      start = at + operator.length;
    }
  }
  return [...parts, expression.slice(start)];
}

function withoutParentheses(expression: string): string {
  if (!expression.startsWith("(")) return expression;
  let depth = 0;
  for (let at = 0; at < expression.length; at += 1) {
    const character = expression[at];
    if (character === "'") at = expression.indexOf("'", at + 1);
    else if (character === "(") depth += 1;
    else if (character === ")") depth -= 1;
    if (depth === 0)
      return at === expression.length - 1 ? withoutParentheses(expression.slice(1, -1)) : expression;
  }
  return expression;
}
