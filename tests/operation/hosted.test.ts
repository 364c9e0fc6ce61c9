import { readFile } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { KINDS } from "../../common/kinds/index.ts";
import { readMigrations } from "../../server/postgres/migrations.ts";
import { makeMember } from "../support/database.ts";
import { startExternalServer } from "../support/external-server.ts";
import { createHostedProject } from "../support/hosted-project.ts";

const server = await startExternalServer({ isBundled: true });
afterAll(() => server.stop());

/** Runs each migration as the role `postgres`, as `supabase db push` does. */
async function push(client: pg.Client): Promise<void> {
  for (const { sql } of await readMigrations()) await client.query(`begin; ${sql}; commit`);
}

describe.each([
  // Since 30 October 2026, Supabase projects grant the API roles nothing on new tables unless the owner opts in.
  ["without default privileges", "bare", ""],
  [
    "with default privileges on every table",
    "generous",
    `alter default privileges for role postgres in schema public
       grant all on tables to anon, authenticated, service_role;`,
  ],
])("a hosted project %s", (_title, name, defaults) => {
  let client: pg.Client;
  let owner: string;

  beforeAll(async () => {
    const connectionString = await createHostedProject(server, name, defaults);
    client = new pg.Client({ connectionString });
    await client.connect();
    await push(client);
    // Insert an account, as the project's auth service does. The schema's trigger creates its profile.
    owner = await makeMember(client);
  });
  afterAll(() => client.end());

  async function runAs(role: string, sql: string, values: unknown[] = []): Promise<string | undefined> {
    const claims = JSON.stringify(role === "authenticated" ? { role, sub: owner } : { role });
    await client.query("begin");
    await client.query("select set_config('role', $1, true), set_config('request.jwt.claims', $2, true)", [
      role,
      claims,
    ]);
    const code = await client.query(sql, values).then(
      () => undefined,
      (error: unknown) => (error instanceof pg.DatabaseError ? error.code : String(error)),
    );
    await client.query(code === undefined ? "commit" : "rollback");
    return code;
  }

  const denied = "42501";
  const insert =
    "insert into public.useful_links (profile_id, title, url, category) values ($1, 'T', '/', 'C')";

  test("a new account gets a profile", async () => {
    const { rows } = await client.query("select id from public.profiles");
    expect(rows).toEqual([{ id: owner }]);
  });

  test.each(["profiles", "skills", ...KINDS.map(({ table }) => table)])(
    "every API role can read %s, none can truncate it, and visitors cannot delete from it",
    async (table) => {
      for (const role of ["anon", "authenticated", "service_role"]) {
        expect(await runAs(role, `select * from public.${table}`)).toBeUndefined();
        expect(await runAs(role, `truncate public.${table} cascade`)).toBe(denied);
      }
      expect(await runAs("anon", `delete from public.${table}`)).toBe(denied);
    },
  );

  test("visitors cannot insert links, members can insert only their own and cannot read accounts, and the service role can insert anyone's", async () => {
    const stranger = await makeMember(client);
    expect(await runAs("anon", insert, [owner])).toBe(denied);
    expect(await runAs("authenticated", insert, [owner])).toBeUndefined();
    expect(await runAs("authenticated", insert, [stranger])).toBe(denied);
    expect(await runAs("service_role", insert, [stranger])).toBeUndefined();
    expect(await runAs("authenticated", "select * from auth.users")).toBe(denied);
  });

  test("clients cannot call the trigger functions directly", async () => {
    expect(await runAs("authenticated", "select private.create_profile()")).toBe(denied);
    expect(await runAs("anon", "select private.set_updated_at()")).toBe(denied);
  });

  test("the demo community loads into a hosted project", async () => {
    await client.query("delete from auth.users");
    await client.query(await readFile(path.join(import.meta.dirname, "../../supabase/seed.sql"), "utf8"));
    const { rows } = await client.query("select count(*)::int as count from public.articles");
    expect(rows[0]?.count).toBeGreaterThan(0);
  });
});
