-- What every table with an owner has: policies, grants, and triggers for identity, times and limits. Clients cannot call
-- trigger functions: PostgreSQL runs them without a grant.

-- For members, keeps a row's id, owner and creation time. An upsert sends these columns back (specification §7, call 16),
-- so changes to them are undone instead of rejected. The argument is the owner's column.
create function private.keep_identity() returns trigger language plpgsql set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    -- An item from the future would stay at the top of its list. JavaScript cannot show dates before the year 1.
    new.created_at := greatest(least(new.created_at, now()), '0001-01-01 00:00:00+00');
    return new;
  end if;
  new.id := old.id;
  new.created_at := old.created_at;
  if tg_argv[0] = 'author_id' then
    new.author_id := old.author_id;
  elsif tg_argv[0] = 'profile_id' then
    new.profile_id := old.profile_id;
  end if;
  return new;
end
$$;

-- A new row was last changed when it was created: an import keeps the dates of its files.
create function private.set_updated_at() returns trigger language plpgsql set search_path = '' as $$
begin
  new.updated_at := now();
  if tg_op = 'INSERT' then
    new.updated_at := least(new.created_at, now());
  end if;
  return new;
end
$$;

/*
 * Creates what every table with an owner needs: row-level security with policies and grants, and the triggers for identity,
 * times and limits. Members can write their own rows, and everyone can read all of them.
 */
create function private.add_owned_table(owned_table text, owner_column text) returns void
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

select private.add_owned_table('profiles', 'id');
-- A profile is deleted with its account only.
revoke delete on public.profiles from authenticated;
drop policy profiles_delete_own on public.profiles;

select private.add_owned_table('skills', 'profile_id');
create trigger skills_limit after insert on public.skills
  for each statement execute function private.limit_skills();
