-- Fills the columns of 20261128120000_membership.sql, and shows former members to operators.

-- Earlier releases stored the names of invited people in their profiles, so a changed profile alone doesn't show that its
-- member saved it.
alter table public.profiles disable trigger user;
update public.profiles p
set joined_at = coalesce(u.last_sign_in_at, p.joined_at,
    case when u.email_confirmed_at is not null and p.updated_at > p.created_at then p.updated_at end),
  unlisted_until = u.banned_until
from auth.users u where u.id = p.id;
alter table public.profiles enable trigger user;

-- Operators' lists --------------------------------------------------------------------------------------------------

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

-- Replaced: the state of members who have left. `wanted_state` may be `former`.
create or replace function private.describe_members(ids uuid[]) returns setof json
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

create or replace function public.list_members(
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

revoke execute on function private.storage_of, public.sort_members from public, anon, authenticated;
grant execute on function public.sort_members to service_role;

-- Searches ----------------------------------------------------------------------------------------------------------

update private.search_sources
set is_visible = 'by_name is not null and exists (select from public.profiles l where l.id = profile_id and private.is_listed(l))'
where kind = 'people';

-- Replaced: leaves out people who are not listed.
create or replace function public.search_people(
  search_text text default '',
  search_category text default '',
  sort_by_name boolean default false,
  cursor_key text default null,
  cursor_id uuid default null,
  page_size integer default 25
) returns setof json
  language plpgsql stable security definer set search_path = '' as $$
declare
  words constant text[] := array_remove(string_to_array(
    private.fold_case(left(private.collapse_spaces(coalesce(search_text, '')), 300)), ' '), '');
  patterns constant text[] := array(
    select private.containing(word) from unnest(words) as word);
  -- Counts a person's public items of each kind, up to 100.
  counts constant text := (
    select string_agg(format('%L, (select count(*) from (select from public.%I where %I = p.id %s limit 100) as items)',
      content_table, content_table, owner_column, case when is_publishable then 'and published' end), ', ')
    from private.content_kinds);
  -- One `like` per word, because no index supports `like all`. The longest words are usually the rarest, so test them first.
  matches constant text := coalesce((
    select string_agg(format('s.document like %L', pattern), ' and ' order by char_length(pattern) desc)
    from unnest(patterns) as pattern), 'true');
begin
  return query execute format($q$
    select row_to_json(person) from (
      select p.id, p.username, p.full_name, p.avatar_url, p.current_title, p.company, p.years_experience,
        found.sort_key, shown.skills,
        json_build_object(%3$s) as published
      from (
        select s.profile_id, s.%1$I as sort_key from private.people_search s
        where s.by_name is not null and exists (select from public.profiles l where l.id = profile_id and private.is_listed(l)) and %2$s and ($1 = '' or $1 = any (s.categories))
          and ($2 is null or (s.%1$I, s.profile_id) > ($2 collate "C", $3))
        order by s.%1$I, s.profile_id limit $4
      ) as found
      join public.profiles p on p.id = found.profile_id
      cross join lateral (
        select coalesce(json_agg(json_build_object(
          'category', best.category, 'name', best.name, 'proficiency', best.proficiency) order by best.place), '[]') as skills
        from (
          select k.*, row_number() over (order by private.fold_case(k.name) like any ($5) desc,
            k.category = $1 desc, k.proficiency desc, k.name, k.id) as place
          from public.skills k where k.profile_id = p.id order by place limit 8
        ) as best
      ) as shown
      order by found.sort_key, found.profile_id
    ) as person $q$, case when sort_by_name then 'by_name' else 'by_experience' end, matches, counts)
    using coalesce(search_category, ''), cursor_key, cursor_id, least(page_size, 61), patterns;
end
$$;
