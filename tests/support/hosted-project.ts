import { readBase } from "../../server/postgres/migrations.ts";
import type { ExternalServer } from "./external-server.ts";

/** A hosted project's role `postgres` isn't a superuser, but it bypasses row-level security and can create roles. */
const CREATE_OWNER = "create role postgres login createdb createrole replication bypassrls password 'x'";

/** Creates a database like a new Supabase project's, and returns its URL for the role `postgres`. */
export async function createHostedProject(
  server: ExternalServer,
  name: string,
  defaultPrivileges = "",
): Promise<string> {
  const owner = await server.query("select from pg_roles where rolname = 'postgres'");
  if (owner.rowCount === 0) await server.query(CREATE_OWNER);
  await server.query(`create database ${name} owner postgres`);
  const { sql } = await readBase();
  await server.query(
    `begin;
     ${sql}
     grant anon, authenticated, service_role, authenticator to postgres;
     alter schema extensions owner to postgres;
     grant usage on schema auth to postgres;
     grant all on all tables in schema auth to postgres;
     grant all on all sequences in schema auth to postgres;
     -- A hosted project stores pictures as files, not in the database.
     drop table storage.object_parts;
     drop trigger delete_objects_of_user on auth.users;
     drop function storage.delete_objects_of_user;
     grant usage on schema storage to postgres;
     grant all on storage.buckets to postgres;
     -- Lets postgres create policies on the table, as the extension supautils does on a hosted project.
     alter table storage.objects owner to postgres;
     ${defaultPrivileges}
     commit`,
    name,
  );
  return server.url("postgres", "x", name);
}
