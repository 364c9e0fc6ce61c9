-- Corrects the schema of 0.1.0. No function has a body of the SQL standard any more (`return …`): since PostgreSQL 15.20, a
-- domain can't get a new check while such a body reads its columns. These functions still return the same.

create or replace function private.has_text(content text) returns boolean
  language sql immutable strict parallel safe set search_path = '' as $$
  select content collate "C" ~ ('[^\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f'
    '\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8'
    '\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]')
$$;

create or replace function private.unspaced() returns text
  language sql immutable parallel safe set search_path = '' as $$
  select '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]'
$$;

create or replace function private.letter() returns text
  language sql immutable parallel safe set search_path = '' as $$
  select '[a-z0-9\u00c0-\u0dff\u10a0-\u177f\u1e00-\u1fff]'
$$;

create or replace function private.containing(content text) returns text
  language sql immutable strict parallel safe set search_path = '' as $$
  select '%' || regexp_replace(content, '([\\%_])', '\\\1', 'g') || '%'
$$;

create or replace function private.is_long(folded text) returns text
  language sql immutable parallel safe set search_path = '' as $$
  select format('octet_length(%s) > 50000', folded)
$$;

create or replace function private.max_bytes_of_rows() returns bigint
  language sql immutable set search_path = '' as 'select 100 * 1024 * 1024::bigint';
create or replace function private.max_bytes_of_versions() returns bigint
  language sql immutable set search_path = '' as 'select 100 * 1024 * 1024::bigint';
create or replace function private.max_skills() returns integer
  language sql immutable set search_path = '' as 'select 200';
create or replace function private.min_bytes_of_row() returns integer
  language sql immutable set search_path = '' as 'select 1000';

create or replace function private.account_state(banned_until timestamptz, confirmed_at timestamptz) returns text
  language sql stable set search_path = '' as $$
  select case when banned_until > now() then 'suspended' when confirmed_at is null then 'invited' else 'active' end
$$;

create or replace function private.owner_of_picture(path text) returns uuid
  language sql immutable set search_path = '' as $$
  select case when path ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/' then split_part(path, '/', 1)::uuid end
$$;

-- Removes the white space of JavaScript from both ends. `\s` would depend on the locale.
create or replace function private.trim_spaces(content text) returns text
  language sql immutable strict parallel safe set search_path = '' as $$
  select btrim(content, E'\t\n\u000b\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a'
    '\u2028\u2029\u202f\u205f\u3000\ufeff')
$$;

-- Pictures ----------------------------------------------------------------------------------------------------------

-- Whether this is the path of a picture (contract, "Pictures") in the caller's own folder.
create function private.is_own_picture(path text) returns boolean
  language sql stable set search_path = '' as $$
  select path ~ '^[0-9a-f-]{36}/[0-9a-f]{32}-[1-9][0-9]{0,4}x[1-9][0-9]{0,4}\.(png|jpg|webp|gif|avif)$'
    and split_part(path, '/', 1) = auth.uid()::text
$$;
revoke execute on function private.is_own_picture from public;
grant execute on function private.is_own_picture to authenticated;

alter policy pictures_insert_own on storage.objects with check (bucket_id = 'pictures' and private.is_own_picture(name));
alter policy pictures_update_own on storage.objects with check (bucket_id = 'pictures' and private.is_own_picture(name));

-- Storage use -------------------------------------------------------------------------------------------------------

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

create or replace function private.add_owned_table(owned_table text, owner_column text) returns void
  language plpgsql set search_path = '' as $$
declare
  has_updated_at constant boolean := exists (
    select from pg_catalog.pg_attribute
    where attrelid = format('public.%I', owned_table)::regclass and attname = 'updated_at' and not attisdropped);
  own constant text := format('%I = (select auth.uid())', owner_column);
begin
  perform private.create_size_of(format('public.%I', owned_table)::regclass);
  -- One function per table, because a function for all tables would have to plan its statements for each save.
  execute format($q$
    create function private.owner_of(item public.%1$I) returns uuid language sql stable set search_path = ''
      as 'select (item).%2$I';
    create function private.%3$I() returns trigger language plpgsql security definer set search_path = '' as $f$
      declare
        owner uuid;
        bytes bigint;
      begin
        if tg_op <> 'DELETE' then
          for owner, bytes in select n.%2$I, sum(private.size_of(n::public.%1$I)) from new_rows n group by 1 loop
            perform private.add_growth(owner, bytes, 0);
          end loop;
        end if;
        if tg_op <> 'INSERT' then
          for owner, bytes in select o.%2$I, sum(private.size_of(o::public.%1$I)) from old_rows o group by 1 loop
            perform private.add_growth(owner, -bytes, 0);
          end loop;
        end if;
        perform private.settle_growth();
        return null;
      end $f$;
    revoke execute on function private.owner_of(public.%1$I), private.%3$I() from public;
    create trigger settle_storage_of_inserts after insert on public.%1$I
      referencing new table as new_rows for each statement execute function private.%3$I();
    create trigger settle_storage_of_updates after update on public.%1$I
      referencing old table as old_rows new table as new_rows for each statement execute function private.%3$I();
    create trigger settle_storage_of_deletes after delete on public.%1$I
      referencing old table as old_rows for each statement execute function private.%3$I();
  $q$, owned_table, owner_column, 'settle_' || owned_table);

  -- Hosted projects differ in what they grant on new tables, so everything is revoked first.
  -- `force` applies row-level security to the table's owner too.
  -- A subselect evaluates auth.uid() once per statement.
  execute format($q$
    revoke all on public.%1$I from public, anon, authenticated, service_role;
    grant select on public.%1$I to anon, authenticated;
    grant insert, update, delete on public.%1$I to authenticated;
    grant select, insert, update, delete on public.%1$I to service_role;
    alter table public.%1$I enable row level security, force row level security;
    create policy %2$I on public.%1$I for select to anon using (true);
    create policy %3$I on public.%1$I for select to authenticated using (true);
    create policy %4$I on public.%1$I for insert to authenticated with check (%7$s);
    create policy %5$I on public.%1$I for update to authenticated using (%7$s) with check (%7$s);
    create policy %6$I on public.%1$I for delete to authenticated using (%7$s);
  $q$, owned_table, owned_table || '_select_anon', owned_table || '_select_member', owned_table || '_insert_own',
    owned_table || '_update_own', owned_table || '_delete_own', own);
  -- For databases in which service_role has no `bypassrls` because the site's login was not allowed to grant it (base.sql).
  -- The table's owner is a member of service_role, so these policies also let an owner without superuser rights maintain it.
  execute format($q$
    create policy %2$I on public.%1$I for select to service_role using (true);
    create policy %3$I on public.%1$I for insert to service_role with check (true);
    create policy %4$I on public.%1$I for update to service_role using (true) with check (true);
    create policy %5$I on public.%1$I for delete to service_role using (true);
  $q$, owned_table, owned_table || '_select_service', owned_table || '_insert_service', owned_table || '_update_service',
    owned_table || '_delete_service');

  execute format($q$
    create trigger keep_identity before insert or update on public.%1$I
      for each row when (current_user <> 'service_role') execute function private.keep_identity(%2$L);
  $q$, owned_table, owner_column);
  if has_updated_at then
    execute format('create trigger set_updated_at before insert or update on public.%I
      for each row execute function private.set_updated_at()', owned_table);
  end if;
end
$$;

-- Measures what one member stores, before the member's first change. Without an owner, measures every member, with all columns
-- that the tables have now.
create or replace function private.measure_storage(only_owner uuid default null) returns void
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

revoke execute on function private.create_size_of from public;

-- unused since 0.1.0
drop function private.settle_storage();

do $$
declare
  owner_of record;
begin
  for owner_of in
    select oid, proargtypes[0]::regtype as owned_table from pg_catalog.pg_proc
    where proname = 'owner_of' and pronamespace = 'private'::regnamespace and prosqlbody is not null
  loop
    execute format('create or replace function private.owner_of(item %s) returns uuid
      language sql stable set search_path = '''' as %L',
      owner_of.owned_table, replace(pg_get_function_sqlbody(owner_of.oid), 'RETURN', 'select'));
  end loop;
end
$$;

-- Linters ------------------------------------------------------------------------------------------------------------

-- The Supabase CLI's linter warns about variables whose initial value has another type.
do $$
declare
  linted regprocedure;
begin
  foreach linted in array array['private.excerpt(text, text)', 'public.search_everything(text, text, text, integer)']::regprocedure[] loop
    execute regexp_replace(regexp_replace(pg_get_functiondef(linted),
      '(text|integer)\[\] := ''\{\}'';', '\1[] := ''{}''::\1[];', 'g'), 'jsonb := ''\[\]'';', 'jsonb := ''[]''::jsonb;', 'g');
  end loop;
end
$$;
