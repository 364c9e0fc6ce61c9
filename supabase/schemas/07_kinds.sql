-- The kinds of content, and what the searches need of them.

-- The kinds of content, for everything that iterates over them. private.add_content_kind() adds a row.
create table private.content_kinds (
  content_table text primary key,
  owner_column text not null,
  is_publishable boolean not null,
  -- An SQL expression over the table's columns: the text that the list's search compares (specification §5).
  listed_text text not null
);

-- What the search over everything covers: the kinds of content, and people.
create table private.search_sources (
  kind text primary key,
  relation text not null,
  id_column text not null,
  -- Null for people.
  owner_column text,
  -- SQL expressions over the relation's columns: the title, the words that count as the title's, all other texts, and
  -- whether the row may be found.
  title text not null,
  title_words text not null,
  texts text not null,
  is_visible text not null
);

-- Returns a kind of content, or null. Searches call this as their caller, who cannot read the table.
create function private.find_kind(name text) returns private.content_kinds
  language sql stable security definer set search_path = '' as $$
  select * from private.content_kinds where content_table = name
$$;

revoke all on private.content_kinds, private.search_sources from public, anon, authenticated, service_role;

-- Creates a trigram index, for `like` with any pattern. Finds the extension in whatever schema it is.
create function private.add_trigram_index(index_name text, relation regclass, expression text, condition text default 'true')
  returns void language plpgsql set search_path = '' as $$
begin
  execute format('create index %I on %s using gin (%s %s.gin_trgm_ops) where %s', index_name, relation, expression,
    (select extnamespace::regnamespace from pg_catalog.pg_extension where extname = 'pg_trgm'), condition);
end
$$;

-- Returns the condition that a folded text is so long that a search of its list asks an index instead of reading it.
create function private.is_long(folded text) returns text
  language sql immutable parallel safe set search_path = '' as $$
  select format('octet_length(%s) > 50000', folded)
$$;

-- Stores the folded texts of changed items, for their list's search.
create function private.store_listed_texts() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  execute format('insert into private.%I as stored select id, private.fold_case(%s) from new_rows
    on conflict (item_id) do update set folded = excluded.folded where stored.folded <> excluded.folded',
    tg_table_name || '_text', (private.find_kind(tg_table_name)).listed_text);
  return null;
end
$$;

create function private.add_search_source(
  kind text, relation text, id_column text, owner_column text, title text, title_words text, texts text, is_visible text
) returns void
  language plpgsql set search_path = '' as $$
begin
  insert into private.search_sources values (kind, relation, id_column, owner_column, title, title_words, texts, is_visible);
  execute format('create index %I on %s using gin (private.search_vector(%s, %s, %s))',
    kind || '_words_idx', relation, title, title_words, texts);
end
$$;

/*
 * Makes a table a kind of content: creates its policies, grants, triggers and indexes, and adds it to the searches, the
 * directory and the versions. The table has the columns id (uuid, primary key), the owner's (`profile_id` or `author_id`),
 * title and created_at, and may have updated_at and published. `listed_columns` are the columns that the search of its list
 * covers (specification §5). `searched_columns` are those that the search over everything covers besides the title; by
 * default, it covers the same as the list's search.
 */
create function private.add_content_kind(
  content_table text, owner_column text, listed_columns text[], searched_columns text[] default null
) returns void
  language plpgsql set search_path = '' as $$
declare
  listed_text constant text := (
    select string_agg(format('coalesce(%I, '''')', name), ' || E''\n'' || ' order by place)
    from unnest(listed_columns) with ordinality as listed (name, place));
  searched_text constant text := (
    select string_agg(format('coalesce(%I, '''')', name), ' || E''\n'' || ' order by place)
    from unnest(coalesce(searched_columns, listed_columns)) with ordinality as searched (name, place));
  is_publishable constant boolean := exists (
    select from pg_catalog.pg_attribute
    where attrelid = format('public.%I', content_table)::regclass and attname = 'published' and not attisdropped);
begin
  if owner_column not in ('author_id', 'profile_id') then
    raise exception 'the owner of % must be in author_id or profile_id', content_table;
  end if;
  perform private.add_owned_table(content_table, owner_column);

  -- For the lists, newest first (specification §7, calls 4, 7, 8 and 15). 'Oldest First' reads the indexes backwards.
  execute format('create index %I on public.%I (created_at desc, id)', content_table || '_created_at_idx', content_table);
  execute format('create index %I on public.%I (%I, created_at desc, id)',
    content_table || '_' || owner_column || '_idx', content_table, owner_column);
  if is_publishable then
    execute format('create index %I on public.%I (created_at desc, id) where published',
      content_table || '_published_idx', content_table);
  end if;

  -- What the list's search reads. Folding long texts for each search would take seconds.
  execute format($q$
    create table private.%2$I (
      item_id uuid primary key references public.%1$I on update cascade on delete cascade,
      folded text not null
    );
    revoke all on private.%2$I from public, anon, authenticated, service_role;
    -- Everyone can read the items themselves.
    grant select on private.%2$I to anon, authenticated, service_role;
    create trigger store_listed_text_of_inserts after insert on public.%1$I
      referencing new table as new_rows for each statement execute function private.store_listed_texts();
    create trigger store_listed_text_of_updates after update on public.%1$I
      referencing new table as new_rows for each statement execute function private.store_listed_texts();
  $q$, content_table, content_table || '_text');
  perform private.add_trigram_index(content_table || '_search_idx', format('private.%I', content_table || '_text')::regclass,
    'folded');
  perform private.add_trigram_index(content_table || '_long_search_idx',
    format('private.%I', content_table || '_text')::regclass, 'folded', private.is_long('folded'));

  execute format($q$
    create trigger reserve_ids after insert on public.%1$I
      referencing new table as new_rows for each statement execute function private.reserve_ids();
    create trigger keep_changed_version after update on public.%1$I
      for each row execute function private.keep_changed_version();
    create trigger keep_deleted_versions after delete on public.%1$I
      referencing old table as old_rows for each statement execute function private.keep_deleted_versions(%2$L);
    create trigger remove_expired_versions after update or delete on public.%1$I
      for each statement execute function private.remove_expired_versions();
  $q$, content_table, owner_column);

  insert into private.content_kinds values (content_table, owner_column, is_publishable, listed_text);
  perform private.add_search_source(content_table, format('public.%I', content_table), 'id', owner_column,
    -- In this form, no partial index tempts the planner to read all published rows.
    'title', 'title', searched_text, case when is_publishable then 'coalesce(published, false)' else 'true' end);
end
$$;

select private.add_content_kind('articles', 'author_id', '{title, content}', '{content}');
select private.add_content_kind('useful_links', 'profile_id', '{title, description, category}',
  '{description, category, url}');
select private.add_content_kind('code_samples', 'profile_id', '{title, description, code_content}',
  '{description, language, code_content}');
