-- What operators read on /admin, and with `npm run member` and `npm run content`. Only the service key may call these
-- functions.

/*
 * Returns members as JSON, newest first, starting after the cursor. Each word of `search_text` is a part of the email
 * address, name or username, or the text is a member's id. `wanted_state` is `active`, `invited`, `suspended` or `operator`.
 */
create function public.list_members(
  search_text text default '',
  wanted_state text default '',
  wanted_email text default null,
  cursor_time timestamptz default null,
  cursor_id uuid default null,
  page_size integer default 50
) returns setof json
  language plpgsql stable security definer set search_path = '' as $$
declare
  counts constant text := (
    select string_agg(format('%L, (select count(*) from public.%I where %I = m.id)',
      content_table, content_table, owner_column), ', ' order by content_table)
    from private.content_kinds);
begin
  return query execute format($q$
    select json_build_object(
      'id', m.id, 'email', m.email, 'username', m.username, 'full_name', m.full_name, 'featured', m.featured,
      'created_at', m.created_at, 'last_sign_in_at', m.last_sign_in_at, 'state', m.state,
      'suspended_until', m.suspended_until, 'is_operator', m.is_operator,
      'providers', coalesce(m.raw_app_meta_data -> 'providers', '[]'), 'counts', json_build_object(%s))
    from (
      select u.id, coalesce(u.email, '') as email, p.username, p.full_name, coalesce(p.featured, false) as featured,
        u.created_at, u.last_sign_in_at, s.state, s.is_operator, u.raw_app_meta_data,
        case when s.state = 'suspended' then u.banned_until end as suspended_until
      from auth.users u
      left join public.profiles p on p.id = u.id
      cross join lateral (select
        case when u.banned_until > now() then 'suspended' when u.email_confirmed_at is null then 'invited' else 'active' end
          as state,
        coalesce(u.raw_app_meta_data ->> 'role' = 'operator', false) as is_operator) as s
      where ($1 is null or u.email = $1)
        and ($2 = '' or s.state = $2 or $2 = 'operator' and s.is_operator)
        and (u.id::text = lower($3) or not exists (
          select from regexp_split_to_table(lower($3), '\s+') as word
          where strpos(lower(concat_ws(E'\n', u.email, p.full_name, p.username)), word) = 0))
        and ($4 is null or (u.created_at, u.id) < ($4, $5))
      order by u.created_at desc, u.id desc
      limit least($6, 1000)
    ) as m
    order by m.created_at desc, m.id desc $q$, counts)
    using wanted_email, wanted_state, search_text, cursor_time, cursor_id, page_size;
end
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
  language sql stable security definer set search_path = '' as $$
  select json_build_object('path', o.name, 'created_at', o.created_at, 'author_id', p.id,
    'bytes', coalesce((o.metadata ->> 'size')::bigint, 0),
    'author', coalesce(private.name_of(p.full_name, p.username), ''))
  from storage.objects o
  left join public.profiles p on p.id::text = split_part(o.name, '/', 1)
  where o.bucket_id = 'pictures'
    and (wanted_owner is null or split_part(o.name, '/', 1) = wanted_owner::text)
    and (search_text = '' or strpos(lower(concat_ws(E'\n', o.name, p.full_name, p.username)), lower(search_text)) > 0)
    and (cursor_time is null or (o.created_at, o.name collate "C") < (cursor_time, cursor_path collate "C"))
  order by o.created_at desc, o.name collate "C" desc
  limit least(page_size, 1000)
$$;

/* Returns facts about the database for the operators' page. */
create function public.database_state() returns setof json
  language sql stable security definer set search_path = '' as $$
  select json_build_object('bytes', pg_database_size(current_database()),
    'members', (select count(*) from auth.users), 'version', current_setting('server_version'))
$$;

revoke execute on function public.list_members, public.list_pictures, public.database_state
  from public, anon, authenticated;
grant execute on function public.list_members, public.list_pictures, public.database_state to service_role;
