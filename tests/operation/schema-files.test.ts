import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { migrate } from "../../server/postgres/migrations.ts";
import { connect, type OwnerConnection } from "../../server/postgres/owner-connection.ts";
import { startExternalServer } from "../support/external-server.ts";

const FOLDER = path.join(import.meta.dirname, "../../supabase/schemas");

const server = await startExternalServer();
afterAll(() => server.stop());

const SCHEMAS = "n.nspname in ('public', 'private', 'auth', 'storage')";
const rights = (acl: string, type: string, owner: string) => `(
  select string_agg(concat_ws(' ', grantee::regrole, privilege_type, is_grantable), ', ' order by grantee::regrole::text, privilege_type)
  from aclexplode(coalesce(${acl}, acldefault('${type}', ${owner}))))`;

/** Each query returns names of objects and their definitions. */
const CATALOGS = {
  schema: `select nspname::text as name, ${rights("nspacl", "n", "nspowner")} as definition
    from pg_namespace n where ${SCHEMAS}`,
  relation: `select c.oid::regclass::text as name, concat_ws(' ', relkind, relrowsecurity, relforcerowsecurity, reloptions,
      case when relkind in ('r', 'v') then ${rights("relacl", "r", "relowner")} end) as definition
    from pg_class c join pg_namespace n on n.oid = relnamespace where ${SCHEMAS} and relkind <> 't'`,
  column: `select format('%s.%I', attrelid::regclass, attname) as name,
      concat_ws(' ', format_type(atttypid, atttypmod), attnotnull, attidentity, attgenerated, attcollation::regcollation,
        pg_get_expr(adbin, adrelid), attacl) as definition
    from pg_attribute a join pg_class c on c.oid = attrelid join pg_namespace n on n.oid = relnamespace
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where ${SCHEMAS} and relkind in ('r', 'v', 'c') and attnum > 0 and not attisdropped`,
  domain: `select t.oid::regtype::text as name,
      concat_ws(' ', format_type(typbasetype, typtypmod), typnotnull, typdefault) as definition
    from pg_type t join pg_namespace n on n.oid = typnamespace where ${SCHEMAS} and typtype = 'd'`,
  constraint: `select format('%s %s %I', conrelid::regclass, contypid::regtype, conname) as name,
      concat_ws(' ', convalidated, pg_get_constraintdef(o.oid)) as definition
    from pg_constraint o join pg_namespace n on n.oid = connamespace where ${SCHEMAS}`,
  index: `select indexrelid::regclass::text as name, concat_ws(' ', indisvalid, pg_get_indexdef(indexrelid)) as definition
    from pg_index join pg_class c on c.oid = indexrelid join pg_namespace n on n.oid = relnamespace where ${SCHEMAS}`,
  trigger: `select format('%s %I', tgrelid::regclass, tgname) as name,
      concat_ws(' ', tgenabled, pg_get_triggerdef(t.oid)) as definition
    from pg_trigger t join pg_class c on c.oid = tgrelid join pg_namespace n on n.oid = relnamespace
    where ${SCHEMAS} and not tgisinternal`,
  policy: `select format('%s %I', polrelid::regclass, polname) as name,
      concat_ws(' ', polcmd, polpermissive, polroles::regrole[], pg_get_expr(polqual, polrelid),
        'check', pg_get_expr(polwithcheck, polrelid)) as definition
    from pg_policy join pg_class c on c.oid = polrelid join pg_namespace n on n.oid = relnamespace where ${SCHEMAS}`,
  function: `select p.oid::regprocedure::text as name,
      concat_ws(' ', pg_get_functiondef(p.oid), ${rights("proacl", "f", "proowner")}) as definition
    from pg_proc p join pg_namespace n on n.oid = pronamespace where ${SCHEMAS} and prokind <> 'a'`,
  extension: `select extname::text as name, extnamespace::regnamespace::text as definition from pg_extension`,
  comment: `select pg_describe_object(classoid, objoid, objsubid) as name, description as definition from pg_description
    where objoid >= 16384`,
  "default right": `select concat_ws(' ', defaclrole::regrole, defaclnamespace::regnamespace, defaclobjtype) as name,
    defaclacl::text as definition from pg_default_acl`,
};

/** Returns the definitions of all objects and the rows of all tables, by names. Ignores the order of columns. */
async function describeDatabase(client: OwnerConnection): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const [type, sql] of Object.entries(CATALOGS)) {
    const { rows } = await client.query<{ name: string; definition: string }>(sql);
    for (const { name, definition } of rows) found[`${type} ${name}`] = definition;
  }
  const tables = await client.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = relnamespace
     where ${SCHEMAS} and relkind = 'r'`,
  );
  for (const { name } of tables.rows) {
    const { rows } = await client.query<{ row: string }>(
      `select (to_jsonb(t) - 'created_at' - 'updated_at')::text as row from ${name} t order by 1`,
    );
    found[`rows of ${name}`] = rows.map(({ row }) => row).join("\n");
  }
  return found;
}

test("the files in supabase/schemas describe the schema that the migrations create", async () => {
  await using migrated = await connect({ connectionString: await server.createMigratedDatabase() });
  await using described = await connect({ connectionString: await server.createDatabase() });
  await migrate(described, []);
  for (const file of (await readdir(FOLDER)).sort())
    await described.query(await readFile(path.join(FOLDER, file), "utf8"));
  const expected = await describeDatabase(migrated);
  expect(Object.keys(expected).length).toBeGreaterThan(500);
  expect(await describeDatabase(described)).toEqual(expected);
});
