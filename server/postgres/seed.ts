import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { hash } from "bcrypt";
import type pg from "pg";
import { locked } from "./migrations.ts";

export interface DemoMember {
  email: string;
  password: string;
}

const SEED_FILE = path.join(import.meta.dirname, "../../supabase/seed.sql");
const DECIDED = "Techfolio: what to seed is decided";

/** As the owner, into a database without accounts. Undefined `wanted`: `demo`, unless decided before. */
export async function seed(
  client: pg.ClientBase,
  wanted: "demo" | "none" | undefined,
): Promise<DemoMember | undefined> {
  const isDecided = await wasDecided(client);
  if (isDecided && wanted !== "demo") return undefined;
  const password = randomBytes(12).toString("base64url");
  const [sql, encrypted] = await Promise.all([readFile(SEED_FILE, "utf8"), hash(password, 10)]);
  return locked(client, async () => {
    const choice = wanted ?? ((await wasDecided(client)) ? "none" : "demo");
    await markSeedDecided(client);
    const accounts = await client.query("select 1 from auth.users limit 1");
    if (choice === "none" || accounts.rowCount !== 0) return undefined;
    await client.query(sql);
    const updated = await client.query<{ email: string }>(
      `update auth.users set encrypted_password = $1
       where id = (select id from auth.users order by created_at, id limit 1) returning email`,
      [encrypted],
    );
    const email = updated.rows[0]?.email;
    return email === undefined ? undefined : { email, password };
  });
}

/** Whether to load the demo community is decided once for a database. */
export async function markSeedDecided(client: pg.ClientBase): Promise<void> {
  await client.query(`comment on schema supabase_migrations is '${DECIDED}'`);
}

async function wasDecided(client: pg.ClientBase): Promise<boolean> {
  const answer = await client.query<{ mark: string | null }>(
    "select obj_description('supabase_migrations'::regnamespace, 'pg_namespace') as mark",
  );
  return answer.rows[0]?.mark === DECIDED;
}
