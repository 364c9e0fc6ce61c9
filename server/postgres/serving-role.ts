import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";
import type pg from "pg";
import { OperatorError } from "../config/operator-error.ts";
import { withMigrationLock } from "./migrations.ts";

// Longer than the longest statement timeout, after which a killed process has no connections.
const MAX_WAIT_MS = 6_000;

export const OTHER_KEYS =
  "Another process is serving this database with other keys: set the same AUTH_JWT_SECRET, or stop it first.";

interface ServingRole {
  name: string;
  exists: boolean;
  fingerprint: string | null;
}

// Roles belong to the whole PostgreSQL server. The name includes the database's id, so that each site has its own role.
const FIND_ROLE = `
  select 'authenticator_' || d.oid as name, rolname is not null as "exists",
    shobj_description(r.oid, 'pg_authid') as fingerprint
  from pg_database d left join pg_roles r on rolname = 'authenticator_' || d.oid
  where datname = current_database()`;

/**
 * Returns a connection string for the login that serves this database. Creates the login, or changes its password if
 * that was derived from another `secret`. The login has the rights of `authenticator`, which isn't a superuser and owns
 * nothing.
 */
export async function ensureServingRole(
  admin: pg.ClientBase,
  adminAddress: string,
  secret: string,
): Promise<string> {
  const password = derive(secret, "password of the serving role");
  const fingerprint = fingerprintOf(secret);

  const name = await withMigrationLock(admin, async () => {
    const [role] = (await admin.query<ServingRole>(FIND_ROLE)).rows as [ServingRole];
    if (role.fingerprint === fingerprint) return role.name;
    await waitUntilUnused(admin, role.name);
    if (!role.exists) await admin.query(`create role ${role.name} in role authenticator`);
    // Send the verifier and not the password: PostgreSQL may log the statement.
    await admin.query(`alter role ${role.name} login inherit password '${scramVerifier(password)}'`);
    await admin.query(`comment on role ${role.name} is '${fingerprint}'`);
    return role.name;
  });
  return withLogin(adminAddress, name, password);
}

function derive(secret: string, purpose: string): string {
  return createHmac("sha256", secret).update(`techfolio: ${purpose}`).digest("base64url");
}

/** Stored with `comment on role`, the fingerprint shows whether the role has the secret's password without revealing it. */
const fingerprintOf = (secret: string) => derive(secret, "mark of the serving role");

/** Whether processes with other keys are connected, so that a start with this secret would fail. */
export async function isServedWithOtherKeys(client: pg.ClientBase, secret: string): Promise<boolean> {
  const [{ name, fingerprint }] = (await client.query<ServingRole>(FIND_ROLE)).rows as [ServingRole];
  return fingerprint !== null && fingerprint !== fingerprintOf(secret) && (await isUsed(client, name));
}

async function isUsed(client: pg.ClientBase, role: string): Promise<boolean> {
  const { rowCount } = await client.query(`select from pg_stat_activity where usename = '${role}' limit 1`);
  return rowCount !== 0;
}

/**
 * Waits until no process is connected with this role, because a connected process could not open another connection
 * after the password changes. Throws OperatorError if a process stays connected.
 */
async function waitUntilUnused(admin: pg.ClientBase, role: string): Promise<void> {
  for (const until = performance.now() + MAX_WAIT_MS; performance.now() < until; ) {
    if (!(await isUsed(admin, role))) return;
    // Clear the snapshot of pg_stat_activity: otherwise, this transaction would see the same connections again.
    await admin.query("select pg_sleep(0.1), pg_stat_clear_snapshot()");
  }
  throw new OperatorError(OTHER_KEYS);
}

function withLogin(address: string, user: string, password: string): string {
  const url = new URL(address);
  url.username = user;
  url.password = password;
  // Query parameters would override the URL's user and password (pg-connection-string).
  for (const name of ["user", "password"]) url.searchParams.delete(name);
  return url.href;
}

function scramVerifier(password: string): string {
  const iterations = 4096;
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, iterations, 32, "sha256");
  const clientKey = createHmac("sha256", salted).update("Client Key").digest();
  const storedKey = createHash("sha256").update(clientKey).digest("base64");
  const serverKey = createHmac("sha256", salted).update("Server Key").digest("base64");
  return `SCRAM-SHA-256$${iterations}:${salt.toString("base64")}$${storedKey}:${serverKey}`;
}
