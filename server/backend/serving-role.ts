import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";
import pg from "pg";
import { locked } from "./migrate.ts";

const role = "authenticator";

/**
 * Takes a connection of the database's owner, its address, and the secret of the tokens, returns the address
 * with which requests are served: as `authenticator`, which is no superuser and owns nothing. Its password
 * follows from the secret, so that every process that shares the secret knows it; it is set only where it does
 * not work yet, under the lock, because several processes may find that at once.
 */
export async function ensureServingRole(
  admin: pg.ClientBase,
  adminAddress: string,
  secret: string,
): Promise<string> {
  const password = createHmac("sha256", secret)
    .update("techfolio: password of authenticator")
    .digest("base64url");
  const address = withLogin(adminAddress, role, password);
  if (await accepts(address)) return address;
  await locked(admin, async () => {
    if (await accepts(address)) return;
    // The verifier and not the password, so that no log of the server can show it.
    await admin.query(`alter role ${role} login password '${scramVerifier(password)}'`);
  });
  return address;
}

function withLogin(address: string, user: string, password: string): string {
  const url = new URL(address);
  url.username = user;
  url.password = password;
  return url.href;
}

/** Whether the server lets one in; a wrong password (class 28) is an answer, everything else is thrown. */
async function accepts(address: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: address, connectionTimeoutMillis: 5_000 });
  try {
    await client.connect();
    return true;
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code?.startsWith("28")) return false;
    throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** What PostgreSQL itself would store for the password (RFC 5803; PostgreSQL, 'pg_authid'). */
function scramVerifier(password: string): string {
  const iterations = 4096;
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, iterations, 32, "sha256");
  const clientKey = createHmac("sha256", salted).update("Client Key").digest();
  const storedKey = createHash("sha256").update(clientKey).digest("base64");
  const serverKey = createHmac("sha256", salted).update("Server Key").digest("base64");
  return `SCRAM-SHA-256$${iterations}:${salt.toString("base64")}$${storedKey}:${serverKey}`;
}
