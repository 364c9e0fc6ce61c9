-- What operators did, and what they read on /admin, and with `npm run member` and `npm run content`. Only the service key
-- may call these functions.

-- What operators did, on the page and with commands. Kept for a year.
create table public.operator_log (
  id uuid primary key default gen_random_uuid(),
  created_at timestamptz not null default now(),
  -- The operator's account, or null for a command. Not a foreign key, because entries outlive accounts.
  operator_id uuid,
  -- The operator's email address, or the command's name.
  operator text not null,
  -- Such as 'member.suspended' or 'item.removed'.
  action text not null,
  -- The member's email address, or the title of an item.
  target text,
  details jsonb not null default '{}'
);

create index operator_log_created_at_idx on public.operator_log (created_at desc, id);

revoke all on public.operator_log from public, anon, authenticated, service_role;
grant select, insert on public.operator_log to service_role;
alter table public.operator_log enable row level security, force row level security;

create policy operator_log_select_service on public.operator_log for select to service_role using (true);
create policy operator_log_insert_service on public.operator_log for insert to service_role with check (true);
create policy operator_log_delete_service on public.operator_log for delete to service_role
  using (created_at < now() - interval '1 year');

create function private.remove_old_log() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  delete from public.operator_log where created_at < now() - interval '1 year';
  return null;
end
$$;

create trigger remove_old_log after insert on public.operator_log
  for each statement execute function private.remove_old_log();

create function private.account_state(banned_until timestamptz, confirmed_at timestamptz) returns text
  language sql stable set search_path = '' as $$
  select case when banned_until > now() then 'suspended' when confirmed_at is null then 'invited' else 'active' end
$$;

create function private.member_state(banned_until timestamptz, confirmed_at timestamptz, left_at timestamptz) returns text
  language sql stable set search_path = '' as $$
  select case when left_at is not null then 'former' when banned_until > now() then 'suspended'
    when confirmed_at is null then 'invited' else 'active' end
$$;

revoke execute on function private.member_state from public;

-- The bytes of a member's rows, earlier versions and pictures.
create function private.storage_of(member uuid) returns bigint
  language sql stable set search_path = '' as $$
  select coalesce((select u.row_bytes + u.version_bytes from private.storage_use u where u.profile_id = member), 0)
    + coalesce((select sum((o.metadata ->> 'size')::bigint) from storage.objects o
      -- `0` is the character after `/`.
      where o.bucket_id = 'pictures' and o.name collate "C" >= member || '/' and o.name collate "C" < member || '0'), 0)
$$;

/*
 * Returns members as JSON, in the order of `ids`. Without statistics about newly loaded items, the planner would scan all
 * items for each member, so it may not scan tables here.
 */
create function private.describe_members(ids uuid[]) returns setof json
  language plpgsql stable set search_path = '' set enable_seqscan = off as $$
declare
  counts constant text := (
    select string_agg(format('%L, (select count(*) from public.%I where %I = u.id)',
      content_table, content_table, owner_column), ', ' order by content_table)
    from private.content_kinds);
begin
  return query execute format($q$
    select json_build_object(
      'id', u.id, 'email', coalesce(u.email, ''), 'username', p.username, 'full_name', p.full_name,
      'featured', coalesce(p.featured, false), 'created_at', u.created_at, 'last_sign_in_at', u.last_sign_in_at,
      'state', s.state, 'suspended_until', case when s.state = 'suspended' then u.banned_until end,
      'is_operator', coalesce(u.raw_app_meta_data ->> 'role' = 'operator', false),
      'providers', coalesce(u.raw_app_meta_data -> 'providers', '[]'), 'storage', private.storage_of(u.id),
      'counts', json_build_object(%s))
    from unnest($1) with ordinality as listed (id, position)
    join auth.users u on u.id = listed.id
    left join public.profiles p on p.id = u.id
    cross join lateral (select private.member_state(u.banned_until, u.email_confirmed_at, p.left_at) as state) as s
    order by listed.position $q$, counts)
    using ids;
end
$$;

/*
 * Returns members as JSON, starting after the cursor. Each word of `search_text` is a part of the email address, name or
 * username, or the text is a member's id. `wanted_state` is `active`, `invited`, `suspended`, `former` or `operator`.
 * `sorted_by` is `created`, `sign-in` or `storage`, the highest first unless `is_ascending`. The cursor is the id of the
 * last row, and its value of the column that the list is sorted by.
 */
create function public.sort_members(
  search_text text default '',
  wanted_state text default '',
  wanted_email text default null,
  sorted_by text default 'created',
  is_ascending boolean default false,
  cursor_time timestamptz default null,
  cursor_bytes bigint default null,
  cursor_id uuid default null,
  page_size integer default 50
) returns setof json
  -- A custom plan omits conditions without a value, and the join if there isn't a search text.
  language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
  direction constant integer := case when is_ascending then 1 else -1 end;
  words constant text[] := regexp_split_to_array(lower(search_text), '\s+');
  -- Members who have never signed in are before all others.
  cursor_key constant numeric := direction * case sorted_by when 'storage' then cursor_bytes
    else coalesce(extract(epoch from cursor_time), 0) end;
begin
  return query select * from private.describe_members(array(
    select m.id from (
      select u.id, direction * case sorted_by
        when 'storage' then coalesce(s.row_bytes + s.version_bytes, 0) + coalesce(pictures.bytes, 0)
        when 'sign-in' then coalesce(extract(epoch from u.last_sign_in_at), 0)
        else extract(epoch from u.created_at) end as key
      from auth.users u
      left join public.profiles p on p.id = u.id
      left join private.storage_use s on sorted_by = 'storage' and s.profile_id = u.id
      -- All pictures in one pass: private.storage_of for each of 20,000 members would take seconds.
      left join (
        select split_part(o.name, '/', 1) as folder, sum((o.metadata ->> 'size')::bigint) as bytes
        from storage.objects o where sorted_by = 'storage' and o.bucket_id = 'pictures' group by 1
      ) as pictures on pictures.folder = u.id::text
      where (wanted_email is null or u.email = wanted_email)
        and (wanted_state = '' or wanted_state = private.member_state(u.banned_until, u.email_confirmed_at, p.left_at)
          or wanted_state = 'operator' and u.raw_app_meta_data ->> 'role' = 'operator')
        and (search_text = '' or u.id::text = lower(search_text) or not exists (
          select from unnest(words) as word
          where strpos(lower(concat_ws(E'\n', u.email, p.full_name, p.username)), word) = 0))
    ) as m
    where cursor_id is null or m.key > cursor_key or m.key = cursor_key and m.id < cursor_id
    order by m.key, m.id desc
    limit least(page_size, 2000)));
end
$$;

-- Returns members as JSON, newest first. Commands and the previous release call it.
create function public.list_members(
  search_text text default '',
  wanted_state text default '',
  wanted_email text default null,
  cursor_time timestamptz default null,
  cursor_id uuid default null,
  page_size integer default 50
) returns setof json
  language sql stable security definer set search_path = '' as $$
  select public.sort_members(search_text, wanted_state, wanted_email, cursor_time => cursor_time, cursor_id => cursor_id,
    page_size => page_size)
$$;

create function private.owner_of_picture(path text) returns uuid
  language sql immutable set search_path = '' as $$
  select case when path ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/' then split_part(path, '/', 1)::uuid end
$$;

/*
 * Returns pictures as JSON, newest first, starting after the cursor. `search_text` is a part of a picture's path or of
 * its owner's name.
 */
create function public.list_pictures(
  search_text text default '',
  wanted_owner uuid default null,
  cursor_time timestamptz default null,
  cursor_path text default null,
  page_size integer default 50
) returns setof json
  -- Only with a custom plan, a list without a search text looks up just the names on its page.
  language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
begin
  return query
    select json_build_object('path', o.name, 'created_at', o.created_at, 'author_id', p.id,
      'bytes', coalesce((o.metadata ->> 'size')::bigint, 0),
      'author', coalesce(private.name_of(p.full_name, p.username), ''))
    from (
      select * from storage.objects
      where bucket_id = 'pictures'
        and (wanted_owner is null or split_part(name, '/', 1) = wanted_owner::text)
        and (search_text = '' or strpos(lower(concat_ws(E'\n', name, (
          select concat_ws(E'\n', full_name, username) from public.profiles where id = private.owner_of_picture(name)))),
          lower(search_text)) > 0)
        and (cursor_time is null or (created_at, name collate "C") < (cursor_time, cursor_path collate "C"))
      order by created_at desc, name collate "C" desc
      limit least(page_size, 1000)
    ) as o
    left join public.profiles p on p.id = private.owner_of_picture(o.name)
    order by o.created_at desc, o.name collate "C" desc;
end
$$;

/* Returns facts about the database for the operators' page. */
create function public.database_state() returns setof json
  language sql stable security definer set search_path = '' as $$
  select json_build_object('bytes', pg_database_size(current_database()),
    'members', (select count(*) from auth.users), 'version', current_setting('server_version'))
$$;

revoke execute on function private.account_state, private.storage_of, private.describe_members, private.owner_of_picture,
  public.sort_members, public.list_members, public.list_pictures, public.database_state from public, anon, authenticated;
grant execute on function public.sort_members, public.list_members, public.list_pictures, public.database_state to service_role;
