-- One table for all searches: private.search_documents has a row for each item and each person.

create table private.search_documents (
  -- The item's table, or `people`.
  kind text not null,
  id uuid not null,
  -- For a person, their own id. The item or person refers to the profile, so that this needn't.
  owner uuid not null,
  created_at timestamptz not null,
  -- Whether the search over everything finds it and, for a person, whether the directory lists them.
  is_listed boolean not null,
  -- For the lists: the columns that a search of the list covers, folded by private.fold_case().
  listed text not null,
  -- For the search over everything: the title on the first line, and all other texts, folded by private.fold_accents().
  -- Null if it is the same as `listed`, and for items that the search over everything doesn't find.
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
-- Searches compare the words of thousands of rows. PostgreSQL would move them out of rows with long texts.
alter table private.search_documents alter column words set storage main;
revoke all on private.search_documents from public, anon, authenticated, service_role;

-- A search reads all pending entries, so their list is short.
create index search_documents_words_idx on private.search_documents using gin (words) with (gin_pending_list_limit = 512);
select private.add_trigram_index('search_documents_listed_idx', 'private.search_documents', 'listed');
-- With the size, so that a search finds the last row that it may read without reading the others.
create index search_documents_newest_idx on private.search_documents (kind, created_at desc, id) include (size);
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
-- Its index isn't unique: two transactions that add the same words in different orders would wait for each other.
create table private.search_words (
  id bigint generated always as identity primary key,
  word text not null,
  owner uuid not null references public.profiles (id) on delete cascade
);
create index search_words_word_idx on private.search_words (word);
create index search_words_owner_idx on private.search_words (owner);
-- One in 64 of the keys of search_documents_words_idx. Searches estimate from it how many keys begin with a prefix. It keeps
-- unused keys, as the index itself does. private.resample() removes them after REINDEX.
create table private.search_sample (
  id bigint generated always as identity primary key,
  key text collate "C" not null
);
create index search_sample_key_idx on private.search_sample (key);
revoke all on private.search_backlog, private.search_words, private.search_sample from public, anon, authenticated, service_role;
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
 * the prefix `^`, and those of a person's names also with `%`; a hash of the title with the prefix `=`; its kind with the prefix
 * `~`, if it is listed; and its owner with the prefix `@`. GIN indexes don't store weights, so the prefixes let a search find titles without reading texts.
 */
create function private.document_words(kind text, owner uuid, is_listed boolean, title text, seen text) returns tsvector
  language plpgsql immutable parallel safe set search_path = '' as $$
declare
  title_words constant text := private.split_words(left(split_part(seen, E'\n', 1), 2000));
  -- The prefixes mean nothing in a tsvector.
  marked text := regexp_replace(title_words, '([^ ]+)', '^\1', 'g') || ' @' || owner;
  all_words text;
begin
  if kind = 'people' then
    marked := marked || ' ~names ' || regexp_replace(title_words, '([^ ]+)', '%\1', 'g');
  end if;
  if not is_listed then
    -- A search for an unlisted person's name finds their items.
    return marked::tsvector;
  end if;
  -- In scripts without spaces, half a million characters would take seconds.
  if octet_length(seen) > 100000 and char_length(seen) > 100000 and seen ~ private.unspaced() then
    seen := left(seen, 100000);
  end if;
  all_words := private.split_words(seen);
  if octet_length(all_words) > 10000 and cardinality(string_to_array(all_words, ' ')) > 5000 then
    all_words := (select string_agg(word, ' ') from (
      select word from string_to_table(all_words, ' ') with ordinality as split (word, place)
      group by word order by min(place) limit 5000) as first_words);
  end if;
  return concat_ws(' ', marked, '~' || kind, '=' || private.title_hash(title), all_words)::tsvector;
end
$$;

-- Removes sampled keys that no document has. Operators call this after REINDEX, which removes them from the index.
create function private.resample() returns void
  language sql set search_path = '' set enable_seqscan = off as $$
  delete from private.search_sample s
  where not exists (select from private.search_documents where words @@ format('%L', s.key)::tsquery)
$$;

-- The texts of an item or a person that private.store_documents() stores.
create type private.document_texts as (
  kind text, id uuid, owner uuid, created_at timestamptz, is_listed boolean,
  title text, title_words text, listed text, texts text,
  names text, categories text[], by_experience text, by_name text
);

-- Returns what the search over everything compares, before it is folded: the title on the first line, and all other texts.
-- Where Markdown writes a line differently from what readers see, adds that line as they see it: in code, a backslash is a
-- backslash.
create function private.seen_text(kind text, title_words text, texts text) returns text
  language plpgsql immutable parallel safe set search_path = '' as $$
declare
  written constant text := '\\[!-/:-@\[-`{-~]|&#?[[:alnum:]]+;|[[:alnum:]](\*|~~)[[:alnum:]]';
  seen text := translate(coalesce(title_words, ''), E'\n\r', '  ') || E'\n' || coalesce(texts, '');
begin
  if kind <> 'people' and seen ~ written then
    seen := seen || E'\n' || (select string_agg(private.as_read(line), E'\n') from (
      select line from string_to_table(left(seen, 200000), E'\n') as line where line ~ written limit 2000) as lines);
  end if;
  return seen;
end
$$;

create function private.make_document(texts private.document_texts) returns private.search_documents
  language plpgsql immutable parallel safe set search_path = '' as $$
declare
  document private.search_documents;
  seen text;
begin
  document.kind := texts.kind;
  document.id := texts.id;
  document.owner := texts.owner;
  document.created_at := texts.created_at;
  document.is_listed := texts.is_listed;
  document.listed := private.fold_case(texts.listed);
  document.words := '';
  -- Only the lists find items that the search over everything doesn't find.
  if texts.is_listed or texts.kind = 'people' then
    seen := private.seen_text(texts.kind, texts.title_words, texts.texts);
    -- Both searches fold ASCII in the same way.
    seen := case when seen = texts.listed and octet_length(seen) = char_length(seen) then document.listed
      else private.fold_accents(seen) end;
    document.seen := nullif(seen, document.listed);
    document.words := private.document_words(texts.kind, texts.owner, texts.is_listed, texts.title, seen);
  end if;
  document.size := greatest(octet_length(document.listed), octet_length(seen)) + 8 * length(document.words) + 200;
  document.names := private.fold_case(texts.names);
  document.categories := texts.categories;
  document.by_experience := texts.by_experience;
  document.by_name := texts.by_name;
  return document;
end
$$;

-- Stores documents, all of them in one statement, because most of the time per row is that for starting a statement. `is_new`
-- also replaces those that exist.
create function private.store_documents(documents private.document_texts[], is_new boolean) returns void
  language plpgsql set search_path = '' as $$
begin
  with stored as (
    insert into private.search_documents as d
    select made.* from unnest(documents) as given cross join lateral private.make_document(given) as made
    on conflict on constraint search_documents_pkey do update set owner = excluded.owner, created_at = excluded.created_at,
      is_listed = excluded.is_listed, listed = excluded.listed, seen = excluded.seen, words = excluded.words,
      size = excluded.size, names = excluded.names, categories = excluded.categories, by_experience = excluded.by_experience,
      by_name = excluded.by_name
    where is_new and (d.owner, d.created_at, d.is_listed, d.listed, d.seen, d.names, d.categories, d.by_experience, d.by_name)
      is distinct from (excluded.owner, excluded.created_at, excluded.is_listed, excluded.listed, excluded.seen, excluded.names,
        excluded.categories, excluded.by_experience, excluded.by_name)
    returning d.kind, d.owner, d.words
  ), keys as materialized (
    select s.kind, s.owner, key, is_sampled from stored s cross join unnest(tsvector_to_array(s.words)) as key
    cross join lateral (select hashtextextended(key collate "C", 0) & 63 = 0 as is_sampled) as h
    where is_sampled or starts_with(key, '^') or s.kind = 'people'
  ), sampled as (
    insert into private.search_sample (key) select distinct key from keys
    -- `limit` makes PostgreSQL look each key up in the index, however many it expects.
    where is_sampled and key !~ '^[=@~]' and (select true from private.search_sample s where s.key = keys.key limit 1) is null
  )
  insert into private.search_words (word, owner)
  select word, owner from (
    select word, owner, row_number() over (partition by owner order by word) as place
    from (select distinct on (word) ltrim(key, '^') as word, owner from keys where kind = 'people' or starts_with(key, '^')) as words
    where char_length(word) between 4 and 40 and word ~ '^[[:alpha:]]+$' and word !~ private.unspaced()
      and (select true from private.search_words w where w.word = words.word limit 1) is null
  ) as new_words
  where place + (select count(*) from private.search_words w where w.owner = new_words.owner) <= 2000;
end
$$;

-- Returns the query that reads the document_texts of a kind's rows from a relation, in arrays of up to 200: an array can't be
-- larger than 1 GB, and each document can have 4 MB.
create function private.documents_query(in_kind text, relation text) returns text
  language sql stable set search_path = '' as $$
  select format($q$
    select array_agg(texts) from (
      select row(%L, i.id, i.%I, i.created_at, %s, i.title, i.title, %s, %s, null, null, null, null)::private.document_texts as texts,
        (row_number() over () - 1) / 200 as place
      from %s i
    ) as numbered group by place$q$,
    in_kind, k.owner_column, case when k.is_publishable then 'i.published' else 'true' end,
    (select string_agg(format('coalesce(i.%I::text, '''')', name), ' || E''\n'' || ' order by place)
      from unnest(k.listed_columns) with ordinality as c (name, place)),
    coalesce((select string_agg(format('coalesce(i.%I::text, '''')', name), ' || E''\n'' || ' order by place)
      from unnest(k.searched_columns) with ordinality as c (name, place)), ''''''), relation)
  from private.content_kinds k where k.content_table = in_kind
$$;

create function private.index_people(ids uuid[], is_new boolean default true) returns void
  language plpgsql security definer set search_path = '' as $$
begin
  -- Wait for concurrent transactions in a separate statement, so that the next one sees the skills they have committed.
  perform 1 from private.search_documents where kind = 'people' and id = any (ids) order by id for update;
  perform private.store_documents(array(
    select row('people', p.id, p.id, p.created_at, private.is_listed_document(p),
      private.name_of(p.full_name, p.username), concat_ws(E'\n', p.full_name, p.username),
      concat_ws(E'\n', p.full_name, p.username, rest.texts), rest.texts,
      concat_ws(E'\n', p.full_name, p.username), coalesce(s.categories, '{}'),
      -- Puts the most years first, and people without years last.
      coalesce(to_char(80 - p.years_experience, 'FM00'), 'none'),
      -- Drops accents, because accented letters would sort after all others.
      left(regexp_replace(normalize(private.fold_case(private.name_of(p.full_name, p.username)), NFD),
        '[\u0300-\u036f]', '', 'g'), 100))::private.document_texts
    from public.profiles p
    left join lateral (
      select string_agg(name, E'\n') as names, array_agg(distinct category) as categories
      from public.skills where profile_id = p.id
    ) s on true
    cross join lateral (
      select concat_ws(E'\n', p.current_title, p.company, array_to_string(p.featured_skills, E'\n'), s.names) as texts
    ) rest
    where p.id = any (ids) order by p.id), is_new);
end
$$;

-- Keeps the documents of people up to date. Runs once per statement, so that an import refreshes each person once.
create function private.index_changed_people() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  changed uuid[] := '{}'::uuid[];
  removed uuid[] := '{}'::uuid[];
begin
  if tg_table_name = 'profiles' then
    if tg_op = 'DELETE' then
      removed := array(select id from old_rows);
    elsif tg_op = 'INSERT' then
      changed := array(select id from new_rows);
    else
      changed := array(select id from new_rows);
      removed := array(select id from old_rows except select id from new_rows);
    end if;
    delete from private.search_documents where kind = 'people' and id = any (removed);
  else
    if tg_op <> 'DELETE' then
      changed := array(select profile_id from new_rows);
    end if;
    if tg_op <> 'INSERT' then
      changed := changed || array(select profile_id from old_rows);
    end if;
  end if;
  perform private.index_people(changed);
  return null;
end
$$;

create function private.add_search_triggers(relation regclass, function_name text) returns void
  language plpgsql set search_path = '' as $$
begin
  execute format($q$
    create trigger index_inserts after insert on %1$s
      referencing new table as new_rows for each statement execute function private.%2$I();
    create trigger index_updates after update on %1$s
      referencing old table as old_rows new table as new_rows for each statement execute function private.%2$I();
    create trigger index_deletes after delete on %1$s
      referencing old table as old_rows for each statement execute function private.%2$I();
  $q$, relation, function_name);
end
$$;

-- Creates the trigger function that keeps the documents of a kind of content up to date. One function per kind, because a
-- function for all kinds would have to plan its statements for each save.
create function private.create_index_function(in_kind text) returns void
  language plpgsql set search_path = '' as $$
declare
  k constant private.content_kinds := private.find_kind(in_kind);
  -- The columns that a document contains.
  columns constant text := (select string_agg(distinct format('%I', name), ', ') from unnest(k.listed_columns || k.searched_columns
    || array['id', 'title', 'created_at', k.owner_column] || case when k.is_publishable then '{published}'::text[] end) as name);
begin
  execute format($q$
    create or replace function private.%1$I() returns trigger language plpgsql security definer set search_path = '' as $f$
      declare
        part private.document_texts[];
        removed uuid[];
      begin
        if tg_op = 'DELETE' then
          removed := array(select id from old_rows);
        elsif tg_op = 'INSERT' then
          for part in %3$s loop
            perform private.store_documents(part, true);
          end loop;
        else
          removed := array(select id from old_rows except select id from new_rows);
          for part in %4$s loop
            perform private.store_documents(part, true);
          end loop;
        end if;
        if removed <> '{}' then
          delete from private.search_documents where kind = %2$L and id = any (removed);
        end if;
        return null;
      end $f$;
    revoke execute on function private.%1$I() from public;
  $q$, 'index_' || in_kind, in_kind, private.documents_query(in_kind, 'new_rows'),
    private.documents_query(in_kind, format('(select %1$s from new_rows except select %1$s from old_rows)', columns)));
end
$$;

-- Indexes up to `batch` rows that existed before the table, newest first. Returns how many. A release calls this after an
-- upgrade until it returns 0.
create function public.fill_search(batch integer default 500) returns integer
  language plpgsql security definer set search_path = '' as $$
declare
  pending private.search_backlog;
  relation text;
  ids uuid[];
  part private.document_texts[];
begin
  select * into pending from private.search_backlog order by kind = 'people' desc, created_at desc limit 1 for update skip locked;
  if pending is null then
    return 0;
  end if;
  relation := format('public.%I', case pending.kind when 'people' then 'profiles' else pending.kind end);
  execute format('select array(select id from %s where (created_at, id) < ($1, $2) order by created_at desc, id desc limit $3)',
    relation) into ids using pending.created_at, pending.id, batch;
  if ids = '{}' then
    delete from private.search_backlog where kind = pending.kind;
    return 1;
  end if;
  if pending.kind = 'people' then
    perform private.index_people(ids, false);
  else
    for part in execute private.documents_query(pending.kind, format('(select * from %s where id = any ($1))', relation)) using ids loop
      perform private.store_documents(part, false);
    end loop;
  end if;
  execute format('update private.search_backlog set (created_at, id) = (select created_at, id from %s where id = $1)
    where kind = $2', relation) using ids[cardinality(ids)], pending.kind;
  return cardinality(ids);
end
$$;

-- Makes the searches cover a column of a kind of content. It takes effect for rows that exist as the table is filled.
create function private.add_searched_column(kind text, new_column text) returns void
  language plpgsql set search_path = '' as $$
begin
  update private.content_kinds
  set listed_columns = listed_columns || new_column, searched_columns = searched_columns || new_column
  where content_table = kind;
  perform private.create_index_function(kind);
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
select private.add_search_triggers('public.profiles', 'index_changed_people');
select private.add_search_triggers('public.skills', 'index_changed_people');
