import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";
import type pg from "pg";
import { locked } from "./migrations.ts";

/** A login of this database alone with the rights of `authenticator`: no superuser, and owner of nothing. */
export async function ensureServingRole(
  admin: pg.ClientBase,
  adminAddress: string,
  secret: string,
): Promise<string> {
  const derive = (purpose: string) =>
    createHmac("sha256", secret).update(`techfolio: ${purpose}`).digest("base64url");
  const password = derive("password of the serving role");
  // Stored as the role's comment; tells whether the password is this one and nothing else about it.
  const mark = derive("mark of the serving role");

  // Roles belong to the whole server: two sites on one server must not change each other's password.
  const role = await roleName(admin);
  if ((await readMark(admin, role)) !== mark) {
    await locked(admin, async () => {
      const known = await readMark(admin, role);
      if (known === mark) return;
      if (known === undefined) await admin.query(`create role ${role} in role authenticator`);
      // The verifier and not the password, so that no log of the server can show it.
      await admin.query(`alter role ${role} login inherit password '${scramVerifier(password)}'`);
      await admin.query(`comment on role ${role} is '${mark}'`);
    });
  }
  return withLogin(adminAddress, role, password);
}

async function roleName(admin: pg.ClientBase): Promise<string> {
  const answer = await admin.query<{ name: string }>(
    "select 'authenticator_' || oid as name from pg_database where datname = current_database()",
  );
  const name = answer.rows[0]?.name;
  if (name === undefined) throw new Error("The current database is not in pg_database");
  return name;
}

async function readMark(admin: pg.ClientBase, role: string): Promise<string | undefined> {
  const answer = await admin.query<{ mark: string }>(
    "select coalesce(shobj_description(oid, 'pg_authid'), '') as mark from pg_roles where rolname = $1",
    [role],
  );
  return answer.rows[0]?.mark;
}

function withLogin(address: string, user: string, password: string): string {
  const url = new URL(address);
  url.username = user;
  url.password = password;
  // As parameters they would win over these (pg-connection-string).
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
