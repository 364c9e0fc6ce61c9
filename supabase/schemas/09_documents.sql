-- One table for all searches: private.search_documents has a row for each item and each person.

create table private.search_documents (
  -- The item's table, or `people`.
  kind text not null,
  id uuid not null,
  -- For a person, their own id.
  owner uuid not null references public.profiles (id) on delete cascade,
  created_at timestamptz not null,
  -- Whether the search over everything finds it and, for a person, whether the directory lists them.
  is_listed boolean not null,
  -- For the lists: the columns that a search of the list covers, folded by private.fold_case().
  listed text not null,
  -- For the search over everything: the title on the first line, and all other texts, folded by private.fold_accents().
  -- Null if it is the same as `listed`.
  seen text,
  words tsvector not null,
  -- About how many bytes a search reads to check this row.
  size integer not null,
  -- For people only: full name and username, and what the directory filters and sorts by.
  names text,
  categories text[],
  by_experience text collate "C",
  by_name text collate "C",
  primary key (kind, id)
);
revoke all on private.search_documents from public, anon, authenticated, service_role;

-- A search reads all pending entries, so their list is short.
create index search_documents_words_idx on private.search_documents using gin (words) with (gin_pending_list_limit = 512);
select private.add_trigram_index('search_documents_listed_idx', 'private.search_documents', 'listed');
create index search_documents_newest_idx on private.search_documents (kind, created_at desc, id);
create index search_documents_owner_idx on private.search_documents (owner, kind, created_at desc, id);
create index search_documents_by_experience_idx on private.search_documents (by_experience, id)
  where kind = 'people' and is_listed;
create index search_documents_by_name_idx on private.search_documents (by_name, id) where kind = 'people' and is_listed;

-- How far the table is filled, newest rows first. Without a row, a kind is complete.
create table private.search_backlog (
  kind text primary key,
  created_at timestamptz not null,
  id uuid not null
);
-- Similar words for "Did you mean": words of titles, skills and names. One member adds at most 2,000.
create table private.search_words (
  word text primary key,
  owner uuid not null references public.profiles (id) on delete cascade
);
revoke all on private.search_backlog, private.search_words from public, anon, authenticated, service_role;
create index search_words_owner_idx on private.search_words (owner);
select private.add_trigram_index('search_words_similar_idx', 'private.search_words', 'word');

-- Whether a person's document is listed: whether the person has a name, and private.is_listed(), which is the only place that
-- decides, apart from suspensions, because they end without a change of a row. Whatever else changes the answer of that function
-- must change the profile, whose trigger refreshes the document, or call private.index_people().
create function private.is_listed_document(person public.profiles) returns boolean
  language plpgsql stable set search_path = '' as $$
begin
  person.unlisted_until := null;
  return private.name_of(person.full_name, person.username) is not null and private.is_listed(person);
end
$$;

-- The people who are suspended now. Searches for people leave them out.
create function private.suspended_people() returns uuid[]
  language sql stable set search_path = '' as $$
  select array(select id from public.profiles where unlisted_until > now())
$$;
create index profiles_unlisted_until_idx on public.profiles (unlisted_until) where unlisted_until is not null;

/*
 * Returns what the index contains of a document: the words of its texts, at most 5,000; those of its title once more with
 * the prefix `^`; a hash of the title with the prefix `=`; its kind with the prefix `~`, if it is listed; and its owner with the
 * prefix `@`. GIN indexes don't store weights, so the prefixes let a search find titles without reading texts.
 */
create function private.document_words(kind text, owner uuid, is_listed boolean, title text, seen text) returns tsvector
  language plpgsql immutable parallel safe set search_path = '' as $$
declare
  folded_title constant text := split_part(seen, E'\n', 1);
  title_words constant text[] := (array_remove(string_to_array(private.split_words(left(folded_title, 2000)), ' '), ''))[:200];
  marked text[] := array(select '^' || word from unnest(title_words) as word);
  all_words text[];
begin
  marked := marked || ('@' || owner);
  if kind = 'people' then
    marked := marked || '~names'::text;
  end if;
  if is_listed then
    all_words := array_remove(string_to_array(private.split_words(
      -- In these scripts, half a million characters would take seconds.
      case when seen ~ private.unspaced() then left(seen, 100000) else seen end), ' '), '');
    if cardinality(all_words) > 5000 then
      all_words := array(select word from unnest(all_words) with ordinality as w (word, place)
        group by word order by min(place) limit 5000);
    end if;
    return array_to_tsvector(marked || ('~' || kind) || ('=' || coalesce(private.title_hash(title), '')) || all_words);
  elsif kind = 'people' then
    -- The items of somebody who isn't listed are found by their author's name.
    return array_to_tsvector(marked);
  end if;
  return '';
end
$$;

create function private.store_document(
  kind text, id uuid, owner uuid, created_at timestamptz, is_listed boolean, title text, title_words text, listed text,
  texts text, is_new boolean default true,
  names text default null, categories text[] default null, by_experience text default null, by_name text default null
) returns void
  language plpgsql set search_path = '' as $$
declare
  folded constant text := private.fold_case(listed);
  seen text := translate(coalesce(title_words, ''), E'\n\r', '  ') || E'\n' || coalesce(texts, '');
  rewritten text;
  words tsvector;
  new_words text[];
begin
  if kind <> 'people' and seen ~ '\\[!-/:-@\[-`{-~]|&#?[[:alnum:]]+;|[[:alnum:]](\*|~~)[[:alnum:]]' then
    -- Both forms can be found: in code, a backslash is a backslash.
    select string_agg(private.as_read(line), E'\n') into rewritten from (
      select line from string_to_table(left(seen, 200000), E'\n') as line
      where line ~ '\\[!-/:-@\[-`{-~]|&#?[[:alnum:]]+;|[[:alnum:]](\*|~~)[[:alnum:]]' limit 2000) as lines;
    seen := seen || E'\n' || rewritten;
  end if;
  seen := private.fold_accents(seen);
  words := private.document_words(kind, owner, is_listed, title, seen);
  insert into private.search_documents as d
  values (kind, id, owner, created_at, is_listed, folded, nullif(seen, folded), words,
    octet_length(folded) + octet_length(seen) + 8 * length(words) + 200,
    private.fold_case(names), categories, by_experience, by_name)
  on conflict on constraint search_documents_pkey do update set owner = excluded.owner, created_at = excluded.created_at,
    is_listed = excluded.is_listed, listed = excluded.listed, seen = excluded.seen, words = excluded.words,
    size = excluded.size, names = excluded.names, categories = excluded.categories, by_experience = excluded.by_experience,
    by_name = excluded.by_name
  where is_new and (d.owner, d.created_at, d.is_listed, d.listed, d.seen, d.names, d.categories, d.by_experience, d.by_name)
    is distinct from (excluded.owner, excluded.created_at, excluded.is_listed, excluded.listed, excluded.seen, excluded.names,
      excluded.categories, excluded.by_experience, excluded.by_name);
  if is_listed then
    new_words := array(
      select distinct word from string_to_table(private.split_words(left(
        case when kind = 'people' then seen else split_part(seen, E'\n', 1) end, 5000)), ' ') as word
      where char_length(word) between 4 and 40 and word ~ '^[[:alpha:]]+$' and word !~ private.unspaced()
        and not exists (select from private.search_words w where w.word = word.word) order by word limit 200);
    if new_words <> '{}' and (select count(*) from private.search_words w where w.owner = store_document.owner) < 2000 then
      insert into private.search_words select word, store_document.owner from unnest(new_words) as word on conflict do nothing;
    end if;
  end if;
end
$$;

-- Stores the documents of items, which are rows of the kind's table as JSON. `is_new` also replaces those that exist.
create function private.index_items(indexed_kind text, items jsonb[], is_new boolean default true) returns void
  language plpgsql set search_path = '' as $$
declare
  kind private.content_kinds;
  item jsonb;
begin
  select * into kind from private.content_kinds where content_table = indexed_kind;
  foreach item in array items loop
    perform private.store_document(indexed_kind, (item ->> 'id')::uuid, (item ->> kind.owner_column)::uuid,
      (item ->> 'created_at')::timestamptz, not kind.is_publishable or coalesce((item ->> 'published')::boolean, false),
      item ->> 'title', item ->> 'title',
      (select string_agg(coalesce(item ->> name, ''), E'\n' order by place)
        from unnest(kind.listed_columns) with ordinality as listed (name, place)),
      (select string_agg(coalesce(item ->> name, ''), E'\n' order by place)
        from unnest(kind.searched_columns) with ordinality as searched (name, place)), is_new);
  end loop;
end
$$;

create function private.index_people(ids uuid[], is_new boolean default true) returns void
  language plpgsql security definer set search_path = '' as $$
begin
  -- Wait for concurrent transactions in a separate statement, so that the next one sees the skills they have committed.
  perform 1 from private.search_documents where kind = 'people' and id = any (ids) order by id for update;
  perform private.store_document('people', p.id, p.id, p.created_at, private.is_listed_document(p),
    private.name_of(p.full_name, p.username), concat_ws(E'\n', p.full_name, p.username),
    concat_ws(E'\n', p.full_name, p.username, rest.texts), rest.texts, is_new,
    concat_ws(E'\n', p.full_name, p.username), coalesce(s.categories, '{}'),
    -- Puts the most years first, and people without years last.
    coalesce(to_char(80 - p.years_experience, 'FM00'), 'none'),
    -- Drops accents, because accented letters would sort after all others.
    left(regexp_replace(normalize(private.fold_case(private.name_of(p.full_name, p.username)), NFD),
      '[\u0300-\u036f]', '', 'g'), 100))
  from public.profiles p
  left join lateral (
    select string_agg(name, E'\n') as names, array_agg(distinct category) as categories
    from public.skills where profile_id = p.id
  ) s on true
  cross join lateral (
    select concat_ws(E'\n', p.current_title, p.company, array_to_string(p.featured_skills, E'\n'), s.names) as texts
  ) rest
  where p.id = any (ids) order by p.id;
end
$$;

-- Keeps private.search_documents up to date. Runs once per statement, so that an import refreshes each person once.
create function private.index_changes() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  changed uuid[] := '{}';
begin
  if tg_table_name = 'skills' then
    if tg_op <> 'DELETE' then
      changed := array(select (to_jsonb(n) ->> 'profile_id')::uuid from new_rows n);
    end if;
    if tg_op <> 'INSERT' then
      changed := changed || array(select (to_jsonb(o) ->> 'profile_id')::uuid from old_rows o);
    end if;
    perform private.index_people(changed);
    return null;
  end if;
  if tg_op = 'DELETE' then
    delete from private.search_documents d using old_rows o
    where d.id = o.id and d.kind = case tg_table_name when 'profiles' then 'people' else tg_table_name end;
  else
    if tg_op = 'UPDATE' then
      delete from private.search_documents d using old_rows o
      where d.id = o.id and d.kind = case tg_table_name when 'profiles' then 'people' else tg_table_name end
        and not exists (select from new_rows n where n.id = o.id);
    end if;
    if tg_table_name = 'profiles' then
      perform private.index_people(array(select n.id from new_rows n));
    else
      perform private.index_items(tg_table_name, array(select to_jsonb(n) from new_rows n));
    end if;
  end if;
  return null;
end
$$;

create function private.add_search_triggers(relation regclass) returns void
  language plpgsql set search_path = '' as $$
begin
  execute format($q$
    create trigger index_inserts after insert on %1$s
      referencing new table as new_rows for each statement execute function private.index_changes();
    create trigger index_updates after update on %1$s
      referencing old table as old_rows new table as new_rows for each statement execute function private.index_changes();
    create trigger index_deletes after delete on %1$s
      referencing old table as old_rows for each statement execute function private.index_changes();
  $q$, relation);
end
$$;

-- Indexes up to `batch` rows that existed before the table, newest first. Returns how many. A release calls this after an
-- upgrade until it returns 0.
create function public.fill_search(batch integer default 500) returns integer
  language plpgsql security definer set search_path = '' as $$
declare
  pending private.search_backlog;
  rows_of_kind jsonb[];
  last_row jsonb;
begin
  select * into pending from private.search_backlog order by kind = 'people' desc, created_at desc limit 1 for update skip locked;
  if pending is null then
    return 0;
  end if;
  execute format('select array_agg(row) from (select to_jsonb(t) as row from public.%I t
      where (created_at, id) < ($1, $2) order by created_at desc, id desc limit $3) as t',
    case pending.kind when 'people' then 'profiles' else pending.kind end)
    into rows_of_kind using pending.created_at, pending.id, batch;
  if rows_of_kind is null then
    delete from private.search_backlog where kind = pending.kind;
    return 1;
  end if;
  if pending.kind = 'people' then
    perform private.index_people(array(select (r ->> 'id')::uuid from unnest(rows_of_kind) r), false);
  else
    perform private.index_items(pending.kind, rows_of_kind, false);
  end if;
  last_row := rows_of_kind[cardinality(rows_of_kind)];
  update private.search_backlog set created_at = (last_row ->> 'created_at')::timestamptz, id = (last_row ->> 'id')::uuid
  where kind = pending.kind;
  return cardinality(rows_of_kind);
end
$$;

-- Makes the searches cover a column of a kind of content. It takes effect for rows that exist as the table is filled.
create function private.add_searched_column(kind text, new_column text) returns void
  language plpgsql set search_path = '' as $$
begin
  update private.content_kinds
  set listed_columns = listed_columns || new_column, searched_columns = searched_columns || new_column
  where content_table = kind;
  delete from private.search_documents d where d.kind = add_searched_column.kind;
  insert into private.search_backlog values (kind, 'infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff')
  on conflict on constraint search_backlog_pkey do update set created_at = excluded.created_at, id = excluded.id;
  perform public.fill_search(1000);
end
$$;

select private.add_content_kind('articles', 'author_id', '{title, content}', '{content}');
select private.add_content_kind('useful_links', 'profile_id', '{title, description, category}',
  '{description, category, url}');
select private.add_content_kind('code_samples', 'profile_id', '{title, description, code_content}',
  '{description, language, code_content}');
select private.add_search_triggers('public.profiles');
select private.add_search_triggers('public.skills');
