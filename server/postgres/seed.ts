import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { hash } from "bcrypt";
import type pg from "pg";
import { programFile } from "../config/program-folder.ts";
import { withMigrationLock } from "./migrations.ts";

export interface DemoMember {
  email: string;
  password: string;
}

const SEED_FILE = programFile("supabase/seed.sql");
const DECIDED = "Techfolio: what to seed is decided";
const STATE = `
  select obj_description('supabase_migrations'::regnamespace, 'pg_namespace') = '${DECIDED}' as "isDecided",
    exists (select from auth.users) as "hasAccounts"`;
const CHOOSE_PASSWORD = `
  update auth.users set encrypted_password = $1
  where id = (select id from auth.users order by created_at, id limit 1) returning email`;

/**
 * Loads the demonstration content into a database without accounts. If `seedSetting` is undefined, it is loaded only on the
 * first call for a database. Returns the email address and password of a demo member if it loaded the content. `client`
 * must be connected as the owner.
 */
export function seed(
  client: pg.ClientBase,
  seedSetting: "demo" | "none" | undefined,
): Promise<DemoMember | undefined> {
  return withMigrationLock(client, async () => {
    const state = (await client.query<{ isDecided: boolean | null; hasAccounts: boolean }>(STATE)).rows[0];
    const choice = seedSetting ?? (state?.isDecided ? "none" : "demo");
    if (!state?.isDecided) await markSeedDecided(client);
    if (choice === "none" || state?.hasAccounts) return undefined;
    await client.query(await readFile(SEED_FILE, "utf8"));
    const password = randomBytes(12).toString("base64url");
    const updated = await client.query<{ email: string }>(CHOOSE_PASSWORD, [await hash(password, 10)]);
    return updated.rows[0] && { email: updated.rows[0].email, password };
  });
}

export async function markSeedDecided(client: pg.ClientBase): Promise<void> {
  await client.query(`comment on schema supabase_migrations is '${DECIDED}'`);
}
