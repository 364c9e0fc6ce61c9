import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { SignJWT } from "jose";
import { SITE } from "./auth.ts";
import { startExternalServer } from "./external-server.ts";
import { freePort } from "./free-port.ts";

const SECRET = "a secret of Supabase Auth for these tests";

const SCHEMA = `create role supabase_auth_admin login superuser password 'x';
  create role anon; create role authenticated; create role service_role; create role postgres;
  create schema auth authorization supabase_auth_admin;
  alter role supabase_auth_admin set search_path = auth;`;

/**
 * Starts Supabase Auth itself, with passkeys for the tests' site.
 *
 * @param source the folder of its source code, with the program `auth` that `go build -o auth` has created
 */
export async function startSupabaseAuth(source: string) {
  const database = await startExternalServer();
  await database.query("create database reference");
  await database.query(SCHEMA, "reference");
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    GOTRUE_API_HOST: "127.0.0.1",
    PORT: String(port),
    API_EXTERNAL_URL: url,
    GOTRUE_DB_DRIVER: "postgres",
    GOTRUE_DB_MIGRATIONS_PATH: path.join(source, "migrations"),
    DATABASE_URL: `${database.url("supabase_auth_admin", "x", "reference")}?sslmode=disable`,
    DB_NAMESPACE: "auth",
    GOTRUE_SITE_URL: SITE,
    GOTRUE_JWT_SECRET: SECRET,
    GOTRUE_JWT_AUD: "authenticated",
    GOTRUE_JWT_ADMIN_ROLES: "service_role",
    GOTRUE_JWT_DEFAULT_GROUP_NAME: "authenticated",
    GOTRUE_DISABLE_SIGNUP: "true",
    GOTRUE_MAILER_AUTOCONFIRM: "true",
    GOTRUE_PASSKEY_ENABLED: "true",
    GOTRUE_RATE_LIMIT_PASSKEY: "10000",
    GOTRUE_WEBAUTHN_RP_ID: new URL(SITE).hostname,
    GOTRUE_WEBAUTHN_RP_DISPLAY_NAME: "Techfolio",
    GOTRUE_WEBAUTHN_RP_ORIGINS: SITE,
    GOTRUE_LOG_LEVEL: "error",
  };
  const program = spawn(path.join(source, "auth"), [], { env, stdio: "ignore" });
  const ended = once(program, "exit");
  const isUp = () =>
    fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isUp())) {
    if (program.exitCode !== null) throw new Error(`Supabase Auth ended with status ${program.exitCode}`);
    await setTimeout(100);
  }
  const sign = (role: string) =>
    new SignJWT({ role })
      .setProtectedHeader({ alg: "HS256" })
      .setAudience("authenticated")
      .setIssuedAt()
      .setExpirationTime("1h")
      .sign(new TextEncoder().encode(SECRET));
  const serviceKey = await sign("service_role");
  const anonKey = await sign("anon");

  /** Its routes have no prefix. */
  const withoutPrefix: typeof fetch = (input, init) => fetch(String(input).replace("/auth/v1", ""), init);
  const client = (key = anonKey): SupabaseClient =>
    createClient(url, key, {
      auth: { persistSession: false, autoRefreshToken: false },
      global: { fetch: withoutPrefix },
    });
  return {
    client: () => client(),
    service: client(serviceKey),
    async stop() {
      program.kill();
      await ended;
      await database.stop();
    },
  };
}
