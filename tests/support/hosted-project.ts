import { readBase } from "../../server/postgres/migrations.ts";
import type { ExternalServer } from "./external-server.ts";

/** The role that a hosted project gives its owner: no superuser, but above row-level security, and allowed to make roles. */
const OWNER = "create role postgres login createdb createrole replication bypassrls password 'x'";

/** Makes a database as Supabase hands over a new project, and returns its address for the role `postgres`. */
export async function createHostedProject(
  server: ExternalServer,
  name: string,
  defaultPrivileges = "",
): Promise<string> {
  const owner = await server.query("select from pg_roles where rolname = 'postgres'");
  if (owner.rowCount === 0) await server.query(OWNER);
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
     -- Supabase stores the bytes as files.
     drop table storage.object_parts;
     drop trigger delete_objects_of_user on auth.users;
     drop function storage.delete_objects_of_user;
     grant usage on schema storage to postgres;
     grant all on storage.buckets to postgres;
     -- The extension supautils lets the role write policies on this table without owning it.
     alter table storage.objects owner to postgres;
     ${defaultPrivileges}
     commit`,
    name,
  );
  return server.url("postgres", "x", name);
}
