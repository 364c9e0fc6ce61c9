-- The bytes that a member's rows and versions take, and their limits (contract).

-- The bytes that a member's rows and versions take. Triggers keep them up to date.
create table private.storage_use (
  profile_id uuid primary key references public.profiles (id) on delete cascade,
  row_bytes bigint not null default 0,
  version_bytes bigint not null default 0
);
revoke all on private.storage_use from public, anon, authenticated, service_role;

-- What a member stores is counted in private.storage_use. A statement's triggers add up how it changes that in the setting
-- `private.growth`, which ends with the transaction: owner, bytes of rows, bytes of versions. The last trigger of
-- the statement, which runs `private.settle_<table>()`, then updates private.storage_use once: 50,000 updates of one row would take minutes.
create function private.add_growth(owner uuid, row_bytes bigint, version_bytes bigint) returns void
  language plpgsql set search_path = '' as $$
declare
  pending text[] := string_to_array(nullif(current_setting('private.growth', true), ''), ' ');
begin
  if pending[1] <> owner::text then
    perform private.settle_growth();
    pending := null;
  end if;
  perform set_config('private.growth', concat_ws(' ', owner,
    row_bytes + coalesce(pending[2]::bigint, 0), version_bytes + coalesce(pending[3]::bigint, 0)), true);
end
$$;

-- Adds the pending growth to the owner's use, and enforces the limits. The update makes other transactions that change what
-- this member stores wait, so that two of them cannot exceed a limit together.
create function private.settle_growth() returns void
  language plpgsql set search_path = '' as $$
declare
  pending constant text[] := string_to_array(nullif(current_setting('private.growth', true), ''), ' ');
  used private.storage_use;
begin
  if pending is null then
    return;
  end if;
  perform set_config('private.growth', '', true);
  update private.storage_use as u
  set row_bytes = u.row_bytes + pending[2]::bigint, version_bytes = u.version_bytes + pending[3]::bigint
  where u.profile_id = pending[1]::uuid
  returning u.* into used;
  if not found then
    perform private.measure_storage(pending[1]::uuid);
    select * into used from private.storage_use where profile_id = pending[1]::uuid;
  end if;

  if used.version_bytes > private.max_bytes_of_versions() then
    perform private.remove_versions(used.profile_id, used.version_bytes - private.max_bytes_of_versions());
    perform private.settle_growth();
  end if;
  if pending[2]::bigint > 0 and used.row_bytes > private.max_bytes_of_rows()
    and current_setting('role', true) = 'authenticated' then
    raise exception 'A member''s content can take up at most % MB', private.max_bytes_of_rows() / 1024 / 1024
      using errcode = 'PT413';
  end if;
end
$$;

-- For skills. Runs after the trigger `settle_storage_of_inserts`, so that it also sees the rows of other transactions for which that one has waited.
create function private.limit_skills() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if current_setting('role', true) = 'authenticated'
    and (select count(*) from public.skills where profile_id = auth.uid()) > private.max_skills() then
    raise exception 'A member can have at most % skills', private.max_skills() using errcode = 'PT413';
  end if;
  return null;
end
$$;

-- Creates the function that returns how many bytes a row of a table takes: those of each column of variable length.
create function private.create_size_of(owned_table regclass) returns void
  language plpgsql set search_path = '' as $$
declare
  bytes constant text := (
    select string_agg(format('coalesce(octet_length(item.%I%s), 0)', attname,
      case when typcategory = 'S' then '' else '::text' end), ' + ' order by attnum)
    from pg_catalog.pg_attribute a join pg_catalog.pg_type t on t.oid = a.atttypid
    where attrelid = owned_table and attnum > 0 and not attisdropped and typlen = -1);
begin
  execute format($q$
    create or replace function private.size_of(item %1$s) returns bigint language sql stable set search_path = '' as %2$L;
    revoke execute on function private.size_of(%1$s) from public;
  $q$, owned_table, format('select greatest(%s, private.min_bytes_of_row())', bytes));
end
$$;

-- Measures what one member stores, before the member's first change. Without an owner, measures every member, with all columns
-- that the tables have now.
create function private.measure_storage(only_owner uuid default null) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  counted text;
begin
  if only_owner is null then
    -- Transactions that have changed rows but not yet added their growth wait.
    lock table private.storage_use in share row exclusive mode;
    perform private.create_size_of(proargtypes[0]::regtype::text::regclass)
    from pg_catalog.pg_proc where proname = 'size_of' and pronamespace = 'private'::regnamespace;
  end if;
  -- Names the owner's column, because no index can be used for private.owner_of(), which PostgreSQL doesn't inline.
  select string_agg(format('select t.%2$I as owner, private.size_of(t) as row_bytes, 0 as version_bytes
    from %1$s t where $1 is null or t.%2$I = $1', proargtypes[0]::regtype, owner_column), ' union all ') into counted
  from pg_catalog.pg_proc
  cross join lateral (
    select attname as owner_column from pg_catalog.pg_attribute
    where attrelid = proargtypes[0]::regtype::text::regclass and attname in ('author_id', 'profile_id', 'id')
    order by array_position('{author_id,profile_id,id}'::name[], attname) limit 1) as owned
  where proname = 'size_of' and pronamespace = 'private'::regnamespace;
  execute format($q$
    insert into private.storage_use (profile_id, row_bytes, version_bytes)
    select p.id, sum(counted.row_bytes), sum(counted.version_bytes)
    from public.profiles p join (
      %s union all select profile_id, 0, size from public.versions where $1 is null or profile_id = $1
    ) as counted on counted.owner = p.id
    group by p.id
    on conflict (profile_id) do update set row_bytes = excluded.row_bytes, version_bytes = excluded.version_bytes $q$,
    counted) using only_owner;
end
$$;
