-- The directory of people (contract, "Finding people"). A search compares its words with a person's profile and skills, so
-- each person has one document that contains both. Triggers keep it up to date.

create table private.people_search (
  profile_id uuid primary key references public.profiles (id) on delete cascade,
  -- Names, title, company and skills, one per line, folded for comparison.
  document text not null,
  categories text[] not null,
  -- Sort keys, in ascending order. `by_name` is null for a person without a name, who is not listed.
  by_experience text collate "C" not null,
  by_name text collate "C",
  -- For the search over everything.
  name text,
  names text not null,
  created_at timestamptz not null
);

select private.add_trigram_index('people_search_document_idx', 'private.people_search', 'document', 'by_name is not null');
create index people_search_by_experience_idx on private.people_search (by_experience, profile_id)
  where by_name is not null;
create index people_search_by_name_idx on private.people_search (by_name, profile_id) where by_name is not null;
create index people_search_created_at_idx on private.people_search (created_at desc, profile_id) where by_name is not null;
select private.add_search_source('people', 'private.people_search', 'profile_id', null, 'name', 'names', 'document',
  'by_name is not null and exists (select from public.profiles l where l.id = profile_id and private.is_listed(l))');
-- Otherwise, the list of pending entries makes this index larger than its table: these documents are short.
alter index private.people_words_idx set (fastupdate = off);

revoke all on private.people_search from public, anon, authenticated, service_role;

create function private.refresh_people_search(ids uuid[]) returns void
  language plpgsql security definer set search_path = '' as $$
begin
  -- Wait for concurrent transactions in a separate statement, so that the next one sees the skills they have committed.
  perform 1 from private.people_search where profile_id = any (ids) order by profile_id for update;
  insert into private.people_search (profile_id, document, categories, by_experience, by_name, name, names, created_at)
  select p.id,
    private.fold_case(concat_ws(E'\n', p.full_name, p.username, p.current_title, p.company,
      array_to_string(p.featured_skills, E'\n'), s.names)),
    coalesce(s.categories, '{}'),
    -- Puts the most years first, and people without years last.
    coalesce(to_char(80 - p.years_experience, 'FM00'), 'none'),
    -- Drops accents, because accented letters would sort after all others.
    left(regexp_replace(normalize(private.fold_case(private.name_of(p.full_name, p.username)), NFD),
      '[\u0300-\u036f]', '', 'g'), 100),
    private.name_of(p.full_name, p.username),
    concat_ws(E'\n', p.full_name, p.username), p.created_at
  from public.profiles p
  left join lateral (
    select string_agg(name, E'\n') as names, array_agg(distinct category) as categories
    from public.skills where profile_id = p.id
  ) s on true
  where p.id = any (ids)
  on conflict (profile_id) do update set
    document = excluded.document, categories = excluded.categories,
    by_experience = excluded.by_experience, by_name = excluded.by_name,
    name = excluded.name, names = excluded.names, created_at = excluded.created_at;
end
$$;

create function private.refresh_people() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  changed uuid[];
begin
  if tg_table_name = 'profiles' then
    changed := array(select id from new_rows);
  else
    if tg_op <> 'DELETE' then
      changed := array(select profile_id from new_rows);
    end if;
    if tg_op <> 'INSERT' then
      changed := changed || array(select profile_id from old_rows);
    end if;
  end if;
  perform private.refresh_people_search(changed);
  return null;
end
$$;

-- These triggers run once per statement, so that an import refreshes each person once.
create trigger refresh_people_of_inserts after insert on public.profiles
  referencing new table as new_rows for each statement execute function private.refresh_people();
create trigger refresh_people_of_updates after update on public.profiles
  referencing new table as new_rows for each statement execute function private.refresh_people();
create trigger refresh_people_of_inserts after insert on public.skills
  referencing new table as new_rows for each statement execute function private.refresh_people();
create trigger refresh_people_of_updates after update on public.skills
  referencing old table as old_rows new table as new_rows for each statement execute function private.refresh_people();
create trigger refresh_people_of_deletes after delete on public.skills
  referencing old table as old_rows for each statement execute function private.refresh_people();

/*
 * Returns one page of the directory as JSON: the people whose documents contain every word of the search and who have a
 * skill in the category. Each has up to eight skills, matching ones first, and the numbers of their public items (counted
 * up to 100). The cursor is the previous person's `sort_key` and `id`. Only the first 300 characters of the search count.
 * The function runs as its owner, because clients have no access to schema `private`. It returns only public data.
 */
create function public.search_people(
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

revoke execute on function public.search_people from public;
grant execute on function public.search_people to anon, authenticated, service_role;
