-- Previous versions of changed and deleted articles, links and samples (contract, "Nothing is lost").
-- Members read their own versions. Only the trigger below writes them.

create table public.versions (
  id uuid primary key default gen_random_uuid(),
  profile_id uuid not null references public.profiles (id) on delete cascade,
  item_table text not null,
  item_id uuid not null,
  title text not null,
  item jsonb not null,
  is_deletion boolean not null,
  -- In bytes.
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
-- The trigger's function runs as the owner of the tables, who is a member of service_role.
create policy versions_select_service on public.versions for select to service_role using (true);
create policy versions_insert_service on public.versions for insert to service_role with check (true);
create policy versions_update_service on public.versions for update to service_role using (true);
create policy versions_delete_service on public.versions for delete to service_role using (true);

-- Row-level security ensures that the row belongs to the member. An operator's statements, and the cascade from a removed
-- account, keep no version, and delete the versions of the rows that they delete. The trigger runs for each row, because
-- transition tables make a save of 2 kB more than 1.3 times as expensive as a save without versions.
create function private.keep_version() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  versions_per_item constant integer := 50;
  bytes_per_member constant bigint := 50 * 1024 * 1024;
  member constant uuid := auth.uid();
  previous jsonb;
begin
  if current_setting('role', true) is distinct from 'authenticated' then
    if tg_op = 'DELETE' then
      delete from public.versions where item_id = old.id;
    end if;
    return null;
  end if;

  previous := to_jsonb(old);
  if tg_op = 'UPDATE' and previous - 'updated_at' = to_jsonb(new) - 'updated_at' then
    return null;
  end if;
  insert into public.versions (profile_id, item_table, item_id, title, item, is_deletion, size)
  values (member, tg_table_name, old.id, old.title, previous, tg_op = 'DELETE', pg_column_size(previous));

  delete from public.versions where id in (
    select id from public.versions where item_id = old.id order by replaced_at desc offset versions_per_item);

  -- Enforce the other bounds on every tenth save only, to keep saves fast. Until then, the policy hides expired versions.
  if random() > 0.1 then
    return null;
  end if;
  if (select sum(size) from public.versions where profile_id = member) > bytes_per_member then
    -- A save in another tab may be deleting the same versions.
    delete from public.versions where id in (
      select v.id from public.versions v join (
        select id, sum(size) over (order by replaced_at desc, id) as total
        from public.versions where profile_id = member
      ) as newest on newest.id = v.id
      where newest.total > bytes_per_member for update of v skip locked);
  end if;

  delete from public.versions where id in (
    select id from public.versions where replaced_at < now() - interval '90 days'
    order by replaced_at limit 100 for update skip locked);
  return null;
end
$$;

revoke execute on function private.keep_version() from public;

create trigger keep_version after update or delete on public.articles
  for each row execute function private.keep_version();
create trigger keep_version after update or delete on public.useful_links
  for each row execute function private.keep_version();
create trigger keep_version after update or delete on public.code_samples
  for each row execute function private.keep_version();
