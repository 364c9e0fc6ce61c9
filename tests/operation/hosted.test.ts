import { readFile } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readMigrations } from "../../server/postgres/migrations.ts";
import { makeMember } from "../support/database.ts";
import { startExternalServer } from "../support/external-server.ts";
import { createHostedProject } from "../support/hosted-project.ts";

const server = await startExternalServer({ isBundled: true });
afterAll(() => server.stop());

/** Like `supabase db push`: runs each file as the role `postgres`. */
async function push(client: pg.Client): Promise<void> {
  for (const { sql } of await readMigrations()) await client.query(`begin; ${sql}; commit`);
}

describe.each([
  // Supabase projects differ in the default privileges on new tables (changed on 30 October 2026).
  ["without default privileges", "bare", ""],
  [
    "with default privileges on every table",
    "generous",
    `alter default privileges for role postgres in schema public
       grant all on tables to anon, authenticated, service_role;`,
  ],
])("hosted project %s", (_title, name, defaults) => {
  let client: pg.Client;
  let owner: string;

  beforeAll(async () => {
    const connectionString = await createHostedProject(server, name, defaults);
    client = new pg.Client({ connectionString });
    await client.connect();
    await push(client);
    // Does what the hosted project's auth service does.
    owner = await makeMember(client);
  });
  afterAll(() => client.end());

  async function as(role: string, sql: string, values: unknown[] = []): Promise<string | undefined> {
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

  test.each(["profiles", "skills", "articles", "useful_links", "code_samples"])(
    "every role can read %s, and none can truncate it",
    async (table) => {
      for (const role of ["anon", "authenticated", "service_role"]) {
        expect(await as(role, `select * from public.${table}`)).toBeUndefined();
        expect(await as(role, `truncate public.${table} cascade`)).toBe(denied);
      }
      expect(await as("anon", `delete from public.${table}`)).toBe(denied);
    },
  );

  test("visitors write nothing, members write their own rows, and the service key writes any row", async () => {
    const stranger = await makeMember(client);
    expect(await as("anon", insert, [owner])).toBe(denied);
    expect(await as("authenticated", insert, [owner])).toBeUndefined();
    expect(await as("authenticated", insert, [stranger])).toBe(denied);
    expect(await as("service_role", insert, [stranger])).toBeUndefined();
    expect(await as("authenticated", "select * from auth.users")).toBe(denied);
  });

  test("clients cannot call the trigger functions directly", async () => {
    expect(await as("authenticated", "select private.create_profile()")).toBe(denied);
    expect(await as("anon", "select private.set_updated_at()")).toBe(denied);
  });

  test("the demo community loads into a hosted project", async () => {
    await client.query("delete from auth.users");
    await client.query(await readFile(path.join(import.meta.dirname, "../../supabase/seed.sql"), "utf8"));
    const { rows } = await client.query("select count(*)::int as count from public.articles");
    expect(rows[0]?.count).toBeGreaterThan(0);
  });
});
