-- Version 8. Increase it whenever a statement changes: databases that have this version or a later one don't run this
-- file.
--
-- Creates what Supabase provides but plain PostgreSQL (15 to 18) lacks: roles, the parts of the schemas auth and
-- storage that we use, auth.uid() and similar functions. It also creates tables that only our own services need. A
-- hosted project doesn't need this file, so it isn't a migration. It can be run repeatedly.

do $$
declare
  missing text;
begin
  -- Retry, because another site on the same PostgreSQL server may be creating the same roles. The migration lock covers
  -- only one database, but roles belong to the whole server.
  for attempt in 1..10 loop
    begin
      foreach missing in array array['anon', 'authenticated', 'supabase_auth_admin', 'authenticator'] loop
        if not exists (select from pg_roles where rolname = missing) then
          execute format('create role %I nologin noinherit', missing);
        end if;
      end loop;

      if not exists (select from pg_roles where rolname = 'service_role') then
        begin
          create role service_role nologin noinherit bypassrls;
        exception when insufficient_privilege then
          -- Some servers don't let this login create a role with bypassrls. Policies for service_role, here and in the
          -- migrations, therefore also give it access to all rows.
          create role service_role nologin noinherit;
        end;
      end if;

      -- The login that runs this file (`current_user`) needs the rights of two roles, unless it is a superuser:
      -- * supabase_auth_admin owns schema auth. The login creates the schema for that role below, and uses its tables
      --   in the migrations, for the demo content and for backups.
      -- * service_role has policies for all rows in schema public. The login will own those tables, but they force
      --   row-level security, which then applies to their owner too. If these policies were missing, the login's
      --   `security definer` functions, the demo content and backups could not access the rows.
      foreach missing in array array['supabase_auth_admin', 'service_role'] loop
        -- Check for `usage`, not `member`: since PostgreSQL 16, the creator of a role is a member of it, but doesn't
        -- inherit its rights.
        if not pg_has_role(missing, 'usage') then
          execute format('grant %I to %I', missing, current_user);
        end if;
      end loop;

      -- The logins that serve requests are members of authenticator, which can switch to each of the following four
      -- roles, but inherits none of their rights.
      foreach missing in array array['anon', 'authenticated', 'service_role', 'supabase_auth_admin'] loop
        if not pg_has_role('authenticator', missing, 'member') then
          execute format('grant %I to authenticator', missing);
        end if;
      end loop;
      return;
    -- Two simultaneous changes of a role can fail with 'tuple concurrently updated', which is an internal error.
    exception when unique_violation or duplicate_object or internal_error then
      if attempt = 10 then
        raise;
      end if;
    end;
  end loop;
end
$$;

do $$
begin
  -- In databases that were created before PostgreSQL 15, every role can create tables in schema public. Revoke that
  -- right, but skip the statement where it isn't needed: only the owner of the schema can run it.
  if has_schema_privilege('anon', 'public', 'create') then
    revoke create on schema public from public;
  end if;
  if not exists (select from pg_namespace where nspname = 'auth') then
    create schema auth authorization supabase_auth_admin;
  end if;
  if not exists (select from pg_namespace where nspname = 'extensions') then
    create schema extensions;
  end if;
end
$$;

grant usage on schema extensions to anon, authenticated, service_role, supabase_auth_admin;

set local role supabase_auth_admin;

do $$
begin
  if to_regtype('auth.aal_level') is null then
    create type auth.aal_level as enum ('aal1', 'aal2', 'aal3');
  end if;
  if to_regtype('auth.code_challenge_method') is null then
    create type auth.code_challenge_method as enum ('s256', 'plain');
  end if;
  if to_regtype('auth.one_time_token_type') is null then
    create type auth.one_time_token_type as enum (
      'confirmation_token', 'reauthentication_token', 'recovery_token',
      'email_change_token_new', 'email_change_token_current', 'phone_change_token'
    );
  end if;
end
$$;

create table if not exists auth.users (
  instance_id uuid,
  id uuid primary key,
  aud varchar(255),
  role varchar(255),
  email varchar(255),
  encrypted_password varchar(255),
  email_confirmed_at timestamptz,
  invited_at timestamptz,
  confirmation_token varchar(255),
  confirmation_sent_at timestamptz,
  recovery_token varchar(255),
  recovery_sent_at timestamptz,
  email_change_token_new varchar(255),
  email_change varchar(255),
  email_change_sent_at timestamptz,
  last_sign_in_at timestamptz,
  raw_app_meta_data jsonb,
  raw_user_meta_data jsonb,
  is_super_admin boolean,
  created_at timestamptz,
  updated_at timestamptz,
  phone text default null unique,
  phone_confirmed_at timestamptz,
  phone_change text default '',
  phone_change_token varchar(255) default '',
  phone_change_sent_at timestamptz,
  confirmed_at timestamptz generated always as (least(email_confirmed_at, phone_confirmed_at)) stored,
  email_change_token_current varchar(255) default '',
  email_change_confirm_status smallint default 0 check (email_change_confirm_status between 0 and 2),
  banned_until timestamptz,
  reauthentication_token varchar(255) default '',
  reauthentication_sent_at timestamptz,
  is_sso_user boolean not null default false,
  deleted_at timestamptz,
  is_anonymous boolean not null default false
);

create unique index if not exists users_email_partial_key on auth.users (email) where is_sso_user = false;

create table if not exists auth.identities (
  provider_id text not null,
  user_id uuid not null references auth.users (id) on delete cascade,
  identity_data jsonb not null,
  provider text not null,
  last_sign_in_at timestamptz,
  created_at timestamptz,
  updated_at timestamptz,
  email text generated always as (lower(identity_data ->> 'email')) stored,
  id uuid primary key default gen_random_uuid(),
  unique (provider_id, provider)
);

create index if not exists identities_user_id_idx on auth.identities (user_id);

create table if not exists auth.sessions (
  id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  created_at timestamptz,
  updated_at timestamptz,
  factor_id uuid,
  aal auth.aal_level,
  not_after timestamptz,
  refreshed_at timestamp,
  user_agent text,
  ip inet,
  tag text
);

-- A separate statement, as in Supabase's migrations, also adds this column to databases of earlier releases.
alter table auth.sessions add column if not exists refresh_token_hmac_key text;

create index if not exists sessions_user_id_idx on auth.sessions (user_id);

create table if not exists auth.refresh_tokens (
  instance_id uuid,
  id bigserial primary key,
  token varchar(255) unique,
  user_id varchar(255),
  revoked boolean,
  created_at timestamptz,
  updated_at timestamptz,
  parent varchar(255),
  session_id uuid references auth.sessions (id) on delete cascade
);

create index if not exists refresh_tokens_session_id_revoked_idx on auth.refresh_tokens (session_id, revoked);
create index if not exists refresh_tokens_updated_at_idx on auth.refresh_tokens (updated_at desc);

create table if not exists auth.one_time_tokens (
  id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  token_type auth.one_time_token_type not null,
  token_hash text not null check (char_length(token_hash) > 0),
  relates_to text not null,
  created_at timestamp not null default now(),
  updated_at timestamp not null default now()
);

create index if not exists one_time_tokens_token_hash_hash_idx on auth.one_time_tokens using hash (token_hash);
-- Unlike Supabase, we let an account have several tokens of a type: each emailed link has its own lifetime.
drop index if exists auth.one_time_tokens_user_id_token_type_key;
create index if not exists one_time_tokens_user_id_idx on auth.one_time_tokens (user_id);

create table if not exists auth.flow_state (
  id uuid primary key,
  user_id uuid,
  auth_code text not null,
  code_challenge_method auth.code_challenge_method not null,
  code_challenge text not null,
  provider_type text not null,
  provider_access_token text,
  provider_refresh_token text,
  created_at timestamptz,
  updated_at timestamptz,
  authentication_method text not null,
  auth_code_issued_at timestamptz
);

create index if not exists idx_auth_code on auth.flow_state (auth_code);
create index if not exists flow_state_created_at_idx on auth.flow_state (created_at desc);

-- How a session began. We add a row only for sessions that began with a passkey.
create table if not exists auth.mfa_amr_claims (
  session_id uuid not null references auth.sessions (id) on delete cascade,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  authentication_method text not null,
  id uuid primary key,
  constraint mfa_amr_claims_session_id_authentication_method_pkey unique (session_id, authentication_method)
);

-- Passkeys.
create table if not exists auth.webauthn_credentials (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  credential_id bytea not null,
  public_key bytea not null,
  attestation_type text not null default '',
  aaguid uuid,
  sign_count bigint not null default 0,
  transports jsonb not null default '[]',
  backup_eligible boolean not null default false,
  backed_up boolean not null default false,
  friendly_name text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  last_used_at timestamptz
);

create unique index if not exists webauthn_credentials_credential_id_key on auth.webauthn_credentials (credential_id);
create index if not exists webauthn_credentials_user_id_idx on auth.webauthn_credentials (user_id);

create table if not exists auth.webauthn_challenges (
  id uuid primary key default gen_random_uuid(),
  user_id uuid references auth.users (id) on delete cascade,
  challenge_type text not null check (challenge_type in ('signup', 'registration', 'authentication')),
  session_data jsonb not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);

create index if not exists webauthn_challenges_user_id_idx on auth.webauthn_challenges (user_id);
create index if not exists webauthn_challenges_expires_at_idx on auth.webauthn_challenges (expires_at);

-- Not part of Supabase. Single sign-on: what the site needs to ask the provider whether it still accepts the sign-in of a
-- session. `credential` is encrypted. `checked_at` is the time of the last request, `confirmed_at` that of the last one
-- to which the provider agreed.
create table if not exists auth.provider_sessions (
  session_id uuid primary key references auth.sessions (id) on delete cascade,
  provider text not null,
  credential text not null,
  checked_at timestamptz not null default now(),
  confirmed_at timestamptz not null default now()
);

-- Not part of Supabase. Counts failed sign-ins, challenges for passkeys, and recovery emails. `expire` is in milliseconds since 1970.
create table if not exists auth.rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);

-- These tables have no policies: even if a role is granted access later, it sees no rows, unless it owns the tables or
-- has bypassrls.
alter table auth.users enable row level security;
alter table auth.identities enable row level security;
alter table auth.sessions enable row level security;
alter table auth.refresh_tokens enable row level security;
alter table auth.one_time_tokens enable row level security;
alter table auth.flow_state enable row level security;
alter table auth.mfa_amr_claims enable row level security;
alter table auth.webauthn_credentials enable row level security;
alter table auth.webauthn_challenges enable row level security;
alter table auth.provider_sessions enable row level security;
alter table auth.rate_limits enable row level security;

create or replace function auth.jwt() returns jsonb language sql stable as $$
  select nullif(current_setting('request.jwt.claims', true), '')::jsonb
$$;

create or replace function auth.uid() returns uuid language sql stable as $$
  select (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')::uuid
$$;

create or replace function auth.role() returns text language sql stable as $$
  select nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role'
$$;

create or replace function auth.email() returns text language sql stable as $$
  select nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'email'
$$;

-- Checked for every request whose token names a session, as all tokens from a sign-in do: the token is valid for
-- hours, but a sign-out, a ban or the deletion of the account must end its access immediately.
create or replace function auth.session_is_live(session_id uuid, user_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select
    from auth.sessions s
    join auth.users u on u.id = s.user_id
    where s.id = $1
      and s.user_id = $2
      and (s.not_after is null or s.not_after > now())
      and (u.banned_until is null or u.banned_until <= now())
      and u.deleted_at is null
  )
$$;

-- Not part of Supabase: the built-in sign-in service's own functions. Only the role that owns the schema may call them.

-- Returns the milliseconds until the next attempt is allowed if `max_attempts` have been counted, otherwise 0.
create or replace function auth.wait_for_attempt(key text, max_attempts integer) returns integer
language sql volatile set search_path = '' as $$
  select coalesce((
    select greatest(r.expire - now_ms, 1)::integer
    from auth.rate_limits r, (select (extract(epoch from clock_timestamp()) * 1000)::bigint) as c (now_ms)
    where r.key = $1 and r.expire > now_ms and r.points >= $2
  ), 0)
$$;

-- Counts an attempt. The first one starts a period. Returns 0 if the attempt is within the limit, otherwise the milliseconds
-- until the period ends.
create or replace function auth.count_attempt(key text, max_attempts integer, period_ms bigint) returns integer
language plpgsql volatile set search_path = '' as $$
declare
  now_ms constant bigint := extract(epoch from clock_timestamp()) * 1000;
  counted auth.rate_limits;
begin
  insert into auth.rate_limits as r (key, points, expire) values ($1, 1, now_ms + $3)
  on conflict on constraint rate_limits_pkey do update set
    points = case when r.expire > now_ms then r.points + 1 else 1 end,
    expire = case when r.expire > now_ms then r.expire else excluded.expire end
  returning * into counted;
  return case when counted.points > $2 then greatest(counted.expire - now_ms, 1) else 0 end;
end
$$;

-- Starts a session with its first refresh token, of which only the digest is stored. Changes nothing for a banned account.
create or replace function auth.start_session(
  user_id uuid, refresh_token_digest text, hmac_key text,
  out session_id uuid, out signed_in_at timestamptz, out is_banned boolean
) language plpgsql volatile set search_path = '' as $$
begin
  -- The update also locks the account's row.
  update auth.users u set last_sign_in_at = now(), updated_at = now()
  where u.id = $1 and (u.banned_until is null or u.banned_until <= now());
  is_banned := not found;
  if is_banned then
    return;
  end if;
  insert into auth.sessions (id, user_id, aal, created_at, updated_at, refresh_token_hmac_key)
  values (gen_random_uuid(), $1, 'aal1', now(), now(), $3)
  returning id, created_at into session_id, signed_in_at;
  insert into auth.refresh_tokens (instance_id, token, user_id, revoked, created_at, updated_at, session_id)
  values ('00000000-0000-0000-0000-000000000000', $2, $1::text, false, now(), now(), session_id);
end
$$;

revoke execute on all functions in schema auth from public;
grant execute on function auth.jwt(), auth.uid(), auth.role(), auth.email()
  to anon, authenticated, service_role, authenticator;
grant execute on function auth.session_is_live(uuid, uuid)
  to anon, authenticated, service_role, authenticator;
grant usage on schema auth to anon, authenticated, service_role, authenticator;

reset role;

-- The part of Supabase's schema storage that pictures need. Supabase keeps the bytes in files;
-- here they are in storage.object_parts.

do $$
begin
  if not exists (select from pg_namespace where nspname = 'storage') then
    create schema storage;
  end if;
end
$$;

create table if not exists storage.buckets (
  id text primary key,
  name text not null unique,
  owner uuid,
  owner_id text,
  public boolean default false,
  avif_autodetection boolean default false,
  file_size_limit bigint,
  allowed_mime_types text[],
  created_at timestamptz default now(),
  updated_at timestamptz default now()
);

create table if not exists storage.objects (
  id uuid primary key default gen_random_uuid(),
  bucket_id text references storage.buckets (id),
  name text,
  owner uuid,
  owner_id text,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  last_accessed_at timestamptz default now(),
  metadata jsonb,
  path_tokens text[] generated always as (string_to_array(name, '/')) stored,
  version text,
  user_metadata jsonb
);

create unique index if not exists bucketid_objname on storage.objects (bucket_id, name);
create index if not exists idx_objects_bucket_id_name on storage.objects (bucket_id, name collate "C");
-- Not part of Supabase. For lists of a folder by time.
create index if not exists objects_of_folder_by_time on storage.objects
  (bucket_id, split_part(name, '/', 1), created_at, name collate "C");

-- Not part of Supabase. Contains each object's bytes in parts of 256 KiB. The bytes never change, because the object's
-- name contains their digest, so no role is granted `update` on this table.
create table if not exists storage.object_parts (
  object_id uuid not null references storage.objects (id) on delete cascade,
  position integer not null,
  bytes bytea not null,
  primary key (object_id, position)
);
-- Don't compress the bytes: pictures are already compressed.
alter table storage.object_parts alter column bytes set storage external;

-- Not part of Supabase. What the objects of each folder count, so that an upload doesn't read all rows of its folder.
-- `storage.folder_size` adds a missing row, for example after a restore.
create table if not exists storage.folder_sizes (
  bucket_id text not null,
  folder text not null,
  bytes bigint not null,
  primary key (bucket_id, folder)
);
alter table storage.folder_sizes enable row level security;

-- Even the smallest object needs a row, its index entries and a part.
create or replace function storage.counted_bytes(metadata jsonb) returns bigint
language sql immutable set search_path = '' as $$
  select greatest(coalesce((metadata ->> 'size')::bigint, 0), 1000)
$$;

create or replace function storage.count_objects() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update storage.folder_sizes f set bytes = f.bytes + c.bytes * case tg_op when 'DELETE' then -1 else 1 end
  from (select bucket_id, split_part(name, '/', 1) as folder, sum(storage.counted_bytes(metadata)) as bytes
    from changed group by 1, 2) c
  where f.bucket_id = c.bucket_id and f.folder = c.folder;
  return null;
end
$$;
revoke execute on function storage.count_objects() from public;
create or replace trigger count_inserted after insert on storage.objects
  referencing new table as changed for each statement execute function storage.count_objects();
create or replace trigger count_deleted after delete on storage.objects
  referencing old table as changed for each statement execute function storage.count_objects();

-- Locks the folder until the end of the transaction, so that two simultaneous uploads can't exceed a quota together.
create or replace function storage.folder_size(wanted_bucket text, wanted_folder text) returns bigint
language plpgsql security definer set search_path = '' as $$
declare
  counted bigint;
begin
  select bytes into counted from storage.folder_sizes
    where bucket_id = wanted_bucket and folder = wanted_folder for update;
  if found then
    return counted;
  end if;
  -- Wait for uncommitted changes: they found no row to update.
  lock table storage.objects in share row exclusive mode;
  -- The names in folder f are those from f/ to f0, because 0 is the character after the slash.
  insert into storage.folder_sizes
    select wanted_bucket, wanted_folder, coalesce(sum(storage.counted_bytes(metadata)), 0) from storage.objects
    where bucket_id = wanted_bucket and name collate "C" >= wanted_folder || '/'
      and name collate "C" < wanted_folder || '0'
    on conflict do nothing;
  select bytes into strict counted from storage.folder_sizes
    where bucket_id = wanted_bucket and folder = wanted_folder for update;
  return counted;
end
$$;
revoke execute on function storage.folder_size(text, text) from public;
grant execute on function storage.folder_size(text, text) to authenticated, service_role;

create or replace function storage.foldername(name text) returns text[]
language sql immutable set search_path = '' as $$
  select (string_to_array(name, '/'))[1:array_length(string_to_array(name, '/'), 1) - 1]
$$;

alter table storage.buckets enable row level security;
alter table storage.objects enable row level security;
alter table storage.object_parts enable row level security;

grant usage on schema storage to anon, authenticated, service_role;
grant select on storage.buckets, storage.objects to anon, authenticated, service_role;
grant insert, update, delete on storage.objects to authenticated, service_role;
grant select, insert on storage.object_parts to authenticated, service_role;

do $$
begin
  if not exists (select from pg_policies where schemaname = 'storage' and policyname = 'object_parts_of_visible_object') then
    -- The subquery is subject to the caller's policies on storage.objects, so a caller can read only the bytes of
    -- objects that they can see.
    create policy object_parts_of_visible_object on storage.object_parts for select to authenticated
      using (exists (select from storage.objects o where o.id = object_id));
    create policy object_parts_insert_own on storage.object_parts for insert to authenticated
      with check (exists (
        select from storage.objects o where o.id = object_id and o.owner_id = (select auth.uid())::text
      ));
    -- For servers on which service_role could not be created with bypassrls.
    create policy buckets_service on storage.buckets for select to service_role using (true);
    create policy objects_select_service on storage.objects for select to service_role using (true);
    create policy objects_insert_service on storage.objects for insert to service_role with check (true);
    create policy objects_update_service on storage.objects for update to service_role using (true);
    create policy objects_delete_service on storage.objects for delete to service_role using (true);
    create policy object_parts_select_service on storage.object_parts for select to service_role using (true);
    create policy object_parts_insert_service on storage.object_parts for insert to service_role with check (true);
  end if;
end
$$;

-- A member's pictures are deleted with the account.
create or replace function storage.delete_objects_of_user() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from storage.objects where owner_id = old.id::text;
  delete from storage.folder_sizes where folder = old.id::text;
  return old;
end
$$;
revoke execute on function storage.delete_objects_of_user() from public;
create or replace trigger delete_objects_of_user after delete on auth.users
  for each row execute function storage.delete_objects_of_user();
