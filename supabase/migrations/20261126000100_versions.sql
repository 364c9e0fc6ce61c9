-- Previous versions of changed and deleted articles, links and samples (contract, "Nothing is lost").
-- Owners read their versions. No client writes them: the trigger below does.

create table public.versions (
  id uuid primary key default gen_random_uuid(),
  profile_id uuid not null references public.profiles (id) on delete cascade,
  item_table text not null,
  item_id uuid not null,
  title text not null,
  item jsonb not null,
  is_deletion boolean not null,
  -- Bytes, as an estimate of what the version takes on disk before compression.
  size integer not null,
  replaced_at timestamptz not null default clock_timestamp()
);

create index versions_item_id_idx on public.versions (item_id, replaced_at desc);
create index versions_profile_id_idx on public.versions (profile_id, replaced_at desc) include (size);
create index versions_replaced_at_idx on public.versions (replaced_at);

revoke all on public.versions from public, anon, authenticated, service_role;
grant select on public.versions to authenticated;
grant select, delete on public.versions to service_role;

alter table public.versions enable row level security, force row level security;
create policy versions_select_own on public.versions for select to authenticated
  using (profile_id = (select auth.uid()) and replaced_at > now() - interval '90 days');
-- For the owner of the tables, who belongs to this role and runs the trigger's function.
create policy versions_select_service on public.versions for select to service_role using (true);
create policy versions_insert_service on public.versions for insert to service_role with check (true);
create policy versions_update_service on public.versions for update to service_role using (true);
create policy versions_delete_service on public.versions for delete to service_role using (true);

-- Runs once per statement, so that a statement about many rows enforces the bounds once. Row-level security ensures that
-- all rows belong to the member. A statement of an operator, or a cascade from a removed account, keeps no version and
-- deletes the versions of the rows that it deletes.
create function private.keep_versions() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  versions_per_item constant integer := 50;
  bytes_per_member constant bigint := 50 * 1024 * 1024;
  is_member constant boolean := current_setting('role', true) = 'authenticated';
  member constant uuid := auth.uid();
  surplus uuid[];
begin
  if not is_member then
    if tg_op = 'DELETE' then
      delete from public.versions where item_id in (select id from old_rows);
    end if;
    return null;
  end if;

  -- Materialized, because each evaluation of to_jsonb() decompresses the row again.
  if tg_op = 'DELETE' then
    with previous as materialized (select o.id, o.title, to_jsonb(o) as item from old_rows o)
    insert into public.versions (profile_id, item_table, item_id, title, item, is_deletion, size)
    select member, tg_table_name, id, title, item, true, pg_column_size(item) from previous;
  else
    with previous as materialized (
      select o.id, o.title, to_jsonb(o) as item, to_jsonb(n) as replacement from old_rows o join new_rows n on n.id = o.id
    )
    insert into public.versions (profile_id, item_table, item_id, title, item, is_deletion, size)
    select member, tg_table_name, id, title, item, false, pg_column_size(item) from previous
    where item - 'updated_at' <> replacement - 'updated_at';
  end if;
  if not found then
    return null;
  end if;

  delete from public.versions where id in (
    select older.id from old_rows o cross join lateral (
      select v.id from public.versions v where v.item_id = o.id order by v.replaced_at desc offset versions_per_item
    ) as older);

  -- The rest would make every save slower, and may be late: the policy hides expired versions.
  if random() > 0.1 then
    return null;
  end if;
  if (select sum(size) from public.versions where profile_id = member) > bytes_per_member then
    surplus := array(
      select id from (
        select id, sum(size) over (order by replaced_at desc, id) as total
        from public.versions where profile_id = member
      ) as v where total > bytes_per_member);
    -- A save in another tab may be deleting the same versions.
    delete from public.versions where id in (
      select id from public.versions where id = any (surplus) for update skip locked);
  end if;

  delete from public.versions where id in (
    select id from public.versions where replaced_at < now() - interval '90 days'
    order by replaced_at limit 100 for update skip locked);
  return null;
end
$$;

revoke execute on function private.keep_versions() from public;

create trigger keep_versions_of_updates after update on public.articles
  referencing old table as old_rows new table as new_rows
  for each statement execute function private.keep_versions();
create trigger keep_versions_of_deletions after delete on public.articles
  referencing old table as old_rows
  for each statement execute function private.keep_versions();

create trigger keep_versions_of_updates after update on public.useful_links
  referencing old table as old_rows new table as new_rows
  for each statement execute function private.keep_versions();
create trigger keep_versions_of_deletions after delete on public.useful_links
  referencing old table as old_rows
  for each statement execute function private.keep_versions();

create trigger keep_versions_of_updates after update on public.code_samples
  referencing old table as old_rows new table as new_rows
  for each statement execute function private.keep_versions();
create trigger keep_versions_of_deletions after delete on public.code_samples
  referencing old table as old_rows
  for each statement execute function private.keep_versions();
