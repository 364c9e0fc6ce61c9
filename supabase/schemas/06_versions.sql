-- Previous versions of changed and deleted items (contract, "Nothing is lost").

-- Previous versions of changed and deleted items (contract, "Nothing is lost"). A version belongs to an owner, a table and
-- an id. Only triggers write them.
create table public.versions (
  id uuid primary key default gen_random_uuid(),
  profile_id uuid not null references public.profiles (id) on delete cascade,
  item_table text not null,
  item_id uuid not null,
  title text not null,
  item jsonb not null,
  is_deletion boolean not null,
  -- In bytes, at least private.min_bytes_of_row().
  size integer not null,
  replaced_at timestamptz not null default clock_timestamp()
);

create index versions_item_idx on public.versions (item_id, profile_id, item_table, replaced_at desc);
create index versions_profile_id_idx on public.versions (profile_id, replaced_at desc);
create index versions_replaced_at_idx on public.versions (replaced_at);

revoke all on public.versions from public, anon, authenticated, service_role;
grant select on public.versions to authenticated;
grant select, delete on public.versions to service_role;
alter table public.versions enable row level security, force row level security;

create policy versions_select_own on public.versions for select to authenticated
  using (profile_id = (select auth.uid()) and replaced_at > now() - interval '90 days');
-- The triggers' functions run as the owner of the tables, who is a member of service_role.
create policy versions_select_service on public.versions for select to service_role using (true);
create policy versions_insert_service on public.versions for insert to service_role with check (true);
create policy versions_update_service on public.versions for update to service_role using (true);
create policy versions_delete_service on public.versions for delete to service_role using (true);

-- Row-level security ensures that the rows belong to the member. Operators' statements, and the cascade from a removed
-- account, keep no version, and remove the versions of rows that they take from their owner. The argument is the owner's
-- column.

-- Runs for each row, because transition tables make a save of 2 kB more than 1.3 times as expensive as one without versions.
create function private.keep_changed_version() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  versions_per_item constant integer := 50;
  owner constant uuid := private.owner_of(old);
  previous jsonb;
  excess uuid[];
begin
  if current_setting('role', true) is distinct from 'authenticated' then
    if private.owner_of(new) <> owner or new.id <> old.id then
      delete from public.versions where item_id = old.id and profile_id = owner and item_table = tg_table_name;
    end if;
    return null;
  end if;

  previous := to_jsonb(old);
  if previous - 'updated_at' = to_jsonb(new) - 'updated_at' then
    return null;
  end if;
  insert into public.versions (profile_id, item_table, item_id, title, item, is_deletion, size)
  values (owner, tg_table_name, old.id, old.title, previous, false,
    greatest(pg_column_size(previous), private.min_bytes_of_row()));

  excess := array(select id from public.versions where item_id = old.id and profile_id = owner and item_table = tg_table_name
    order by replaced_at desc offset versions_per_item);
  if excess <> '{}' then
    delete from public.versions where id = any (excess);
  end if;
  return null;
end
$$;

-- Runs once per statement, so that a member can delete 50,000 rows in one.
create function private.keep_deleted_versions() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  versions_per_item constant integer := 50;
begin
  if current_setting('role', true) is distinct from 'authenticated' then
    delete from public.versions v using (select to_jsonb(o) as item from old_rows o) as deleted
    where v.item_id = (deleted.item ->> 'id')::uuid and v.item_table = tg_table_name
      and v.profile_id = (deleted.item ->> tg_argv[0])::uuid;
    return null;
  end if;

  insert into public.versions (profile_id, item_table, item_id, title, item, is_deletion, size)
  select (item ->> tg_argv[0])::uuid, tg_table_name, (item ->> 'id')::uuid, item ->> 'title', item, true,
    greatest(pg_column_size(item), private.min_bytes_of_row())
  -- `offset 0` stops the planner from building each row's JSON for every column.
  from (select to_jsonb(o) as item from old_rows o offset 0) as deleted;
  delete from public.versions where id in (
    select id from (
      select v.id, row_number() over (partition by v.item_id order by v.replaced_at desc, v.id) as place
      from old_rows o join public.versions v on v.item_id = o.id
      where v.profile_id = auth.uid() and v.item_table = tg_table_name
    ) as placed where place > versions_per_item);
  return null;
end
$$;

-- Statements of triggers leave the growth to the last trigger of the statement that started them.
create function private.count_versions() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  owner uuid;
  bytes bigint;
begin
  if tg_op = 'INSERT' then
    for owner, bytes in select profile_id, sum(size) from new_rows group by 1 loop
      perform private.add_growth(owner, 0, bytes);
    end loop;
  else
    for owner, bytes in select profile_id, sum(size) from old_rows group by 1 loop
      perform private.add_growth(owner, 0, -bytes);
    end loop;
  end if;
  if pg_trigger_depth() = 1 then
    perform private.settle_growth();
  end if;
  return null;
end
$$;

create trigger count_inserted_versions after insert on public.versions
  referencing new table as new_rows for each statement execute function private.count_versions();
create trigger count_deleted_versions after delete on public.versions
  referencing old table as old_rows for each statement execute function private.count_versions();

-- Removes a member's versions until they take `excess` bytes less: first the oldest versions of the item with the most
-- versions, and finally the last versions of items that were deleted in the last 30 days, the earliest deletion first.
-- Frees 100 kB more than that, so that a member at the limit doesn't pay for this search with every small save.
create function private.remove_versions(owner uuid, excess bigint) returns void
  language sql set search_path = '' as $$
  delete from public.versions where id in (
    select id from (
      select id, size, sum(size) over (order by is_last_deletion, place desc, replaced_at, id) as removed
      from (
        select v.id, v.size, v.replaced_at, place,
          place = 1 and v.is_deletion and v.replaced_at > now() - interval '30 days' as is_last_deletion
        from (
          select id, size, replaced_at, is_deletion,
            row_number() over (partition by item_table, item_id order by replaced_at desc, id) as place
          from public.versions where profile_id = owner
        ) as v
      ) as placed
    ) as candidates
    where removed - size < excess + 100 * 1024)
$$;

-- Deletes expired versions of up to 100 members. Skips members who are saving, because waiting for them could deadlock.
-- Until then, the policy hides expired versions.
create function private.remove_expired_versions() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  owners uuid[];
begin
  if exists (select from public.versions where replaced_at < now() - interval '90 days') then
    owners := array(select profile_id from private.storage_use where profile_id in (
      select profile_id from public.versions where replaced_at < now() - interval '90 days'
      order by replaced_at limit 100) for update skip locked);
    delete from public.versions where id in (
      select id from public.versions where replaced_at < now() - interval '90 days' and profile_id = any (owners)
      order by replaced_at limit 1000);
  end if;
  return null;
end
$$;

-- Rejects an id that appears in another member's versions, like an id in use. Members can restore their own items.
create function private.reserve_ids() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if current_setting('role', true) = 'authenticated' and exists (
    select from new_rows n join public.versions v on v.item_id = n.id
    where v.profile_id <> auth.uid() and not exists (
      select from public.versions own
      where own.item_id = n.id and own.profile_id = auth.uid() and own.item_table = tg_table_name)
  ) then
    raise unique_violation using
      message = format('duplicate key value violates unique constraint "%s_pkey"', tg_table_name),
      schema = 'public', table = tg_table_name, constraint = tg_table_name || '_pkey';
  end if;
  return null;
end
$$;
