-- The directory of people (contract, "Finding people"). A search compares its words with a person's profile and skills, so
-- each person has one document that contains both. Triggers keep it up to date.

create table private.people_search (
  profile_id uuid primary key references public.profiles (id) on delete cascade,
  -- Names, title, company and skills, one per line, folded for comparison.
  document text not null,
  categories text[] not null,
  -- Sort keys, in ascending order. `by_name` is null for a person without a name, who is not listed.
  by_experience text collate "C" not null,
  by_name text collate "C"
);

create index people_search_document_idx on private.people_search
  using gin (document extensions.gin_trgm_ops) where by_name is not null;
create index people_search_by_experience_idx on private.people_search (by_experience, profile_id)
  where by_name is not null;
create index people_search_by_name_idx on private.people_search (by_name, profile_id) where by_name is not null;

revoke all on private.people_search from public, anon, authenticated, service_role;

-- Replaces each run of white space by one space. Lists JavaScript's white space, because `\s` depends on the locale.
create function private.collapse_spaces(content text) returns text
  language sql immutable strict parallel safe set search_path = '' as $$
  select trim(regexp_replace(content, '[\s\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+', ' ', 'g'))
$$;

create function private.refresh_people_search(ids uuid[]) returns void
  language plpgsql security definer set search_path = '' as $$
begin
  -- Wait for concurrent transactions in a separate statement, so that the next one sees the skills they have committed.
  perform 1 from private.people_search where profile_id = any (ids) order by profile_id for update;
  insert into private.people_search (profile_id, document, categories, by_experience, by_name)
  select p.id,
    extensions.fold_case(concat_ws(E'\n', p.full_name, p.username, p.current_title, p.company,
      array_to_string(p.featured_skills, E'\n'), s.names)),
    coalesce(s.categories, '{}'),
    -- Puts the most years first, and people without years last.
    coalesce(to_char(2147483647 - p.years_experience, 'FM0000000000'), 'none'),
    -- Drops accents, because accented letters would sort after all others.
    left(regexp_replace(normalize(extensions.fold_case(coalesce(
      nullif(private.collapse_spaces(p.full_name), ''), nullif(private.collapse_spaces(p.username), ''))), NFD),
      '[\u0300-\u036f]', '', 'g'), 100)
  from public.profiles p
  left join lateral (
    select string_agg(name, E'\n') as names, array_agg(distinct category) as categories
    from public.skills where profile_id = p.id
  ) s on true
  where p.id = any (ids)
  on conflict (profile_id) do update set
    document = excluded.document, categories = excluded.categories,
    by_experience = excluded.by_experience, by_name = excluded.by_name;
end
$$;

create function private.refresh_changed_people() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.refresh_people_search(array(select id from new_rows));
  return null;
end
$$;

create function private.refresh_people_of_new_skills() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.refresh_people_search(array(select distinct profile_id from new_rows));
  return null;
end
$$;

create function private.refresh_people_of_old_skills() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.refresh_people_search(array(select distinct profile_id from old_rows));
  return null;
end
$$;

revoke execute on function private.collapse_spaces, private.refresh_people_search, private.refresh_changed_people,
  private.refresh_people_of_new_skills, private.refresh_people_of_old_skills from public;

-- These triggers run once per statement, so that an import refreshes each person once.
create trigger refresh_people_of_inserts after insert on public.profiles
  referencing new table as new_rows for each statement execute function private.refresh_changed_people();
create trigger refresh_people_of_updates after update on public.profiles
  referencing new table as new_rows for each statement execute function private.refresh_changed_people();
create trigger refresh_people_of_inserts after insert on public.skills
  referencing new table as new_rows for each statement execute function private.refresh_people_of_new_skills();
create trigger refresh_people_of_updates after update on public.skills
  referencing new table as new_rows for each statement execute function private.refresh_people_of_new_skills();
create trigger refresh_people_of_deletes after delete on public.skills
  referencing old table as old_rows for each statement execute function private.refresh_people_of_old_skills();

select private.refresh_people_search(array(select id from public.profiles));

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
    extensions.fold_case(left(private.collapse_spaces(coalesce(search_text, '')), 300)), ' '), '');
  patterns constant text[] := array(
    select '%' || regexp_replace(word, '([\\%_])', '\\\1', 'g') || '%' from unnest(words) as word);
  -- One `like` per word, because no index supports `like all`. The longest words are usually the rarest, so test them first.
  matches constant text := coalesce((
    select string_agg(format('s.document like %L', pattern), ' and ' order by char_length(pattern) desc)
    from unnest(patterns) as pattern), 'true');
begin
  return query execute format($q$
    select row_to_json(person) from (
      select p.id, p.username, p.full_name, p.avatar_url, p.current_title, p.company, p.years_experience,
        found.sort_key, shown.skills,
        json_build_object(
          'articles', (select count(*) from
            (select from public.articles where author_id = p.id and published limit 100) as items),
          'useful_links', (select count(*) from
            (select from public.useful_links where profile_id = p.id limit 100) as items),
          'code_samples', (select count(*) from
            (select from public.code_samples where profile_id = p.id limit 100) as items)
        ) as published
      from (
        select s.profile_id, s.%1$I as sort_key from private.people_search s
        where s.by_name is not null and %2$s and ($1 = '' or $1 = any (s.categories))
          and ($2 is null or (s.%1$I, s.profile_id) > ($2 collate "C", $3))
        order by s.%1$I, s.profile_id limit $4
      ) as found
      join public.profiles p on p.id = found.profile_id
      cross join lateral (
        select coalesce(json_agg(json_build_object(
          'category', best.category, 'name', best.name, 'proficiency', best.proficiency) order by best.place), '[]') as skills
        from (
          select k.*, row_number() over (order by extensions.fold_case(k.name) like any ($5) desc,
            k.category = $1 desc, k.proficiency desc, k.name, k.id) as place
          from public.skills k where k.profile_id = p.id order by place limit 8
        ) as best
      ) as shown
      order by found.sort_key, found.profile_id
    ) as person $q$, case when sort_by_name then 'by_name' else 'by_experience' end, matches)
    using coalesce(search_category, ''), cursor_key, cursor_id, least(page_size, 61), patterns;
end
$$;

revoke execute on function public.search_people from public;
grant execute on function public.search_people to anon, authenticated, service_role;
