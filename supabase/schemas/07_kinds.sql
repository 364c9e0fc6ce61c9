-- The kinds of content.

-- The kinds of content, for everything that iterates over them. private.add_content_kind() adds a row.
create table private.content_kinds (
  content_table text primary key,
  owner_column text not null,
  is_publishable boolean not null,
  -- The columns that the search of the kind's list covers, and those that the search over everything covers besides the title.
  listed_columns text[] not null default '{title}',
  searched_columns text[] not null default '{}'
);

revoke all on private.content_kinds from public, anon, authenticated, service_role;

-- Returns a kind of content, or null. Searches call this as their caller, who cannot read the table.
create function private.find_kind(name text) returns private.content_kinds
  language sql stable security definer set search_path = '' as $$
  select * from private.content_kinds where content_table = name
$$;

-- Creates a trigram index, for `like` with any pattern. Finds the extension in whatever schema it is.
create function private.add_trigram_index(index_name text, relation regclass, expression text, condition text default 'true')
  returns void language plpgsql set search_path = '' as $$
begin
  execute format('create index %I on %s using gin (%s %s.gin_trgm_ops) where %s', index_name, relation, expression,
    (select extnamespace::regnamespace from pg_catalog.pg_extension where extname = 'pg_trgm'), condition);
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
  is_publishable constant boolean := exists (
    select from pg_catalog.pg_attribute
    where attrelid = format('public.%I', content_table)::regclass and attname = 'published' and not attisdropped);
  has_updated_at constant boolean := exists (
    select from pg_catalog.pg_attribute
    where attrelid = format('public.%I', content_table)::regclass and attname = 'updated_at' and not attisdropped);
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
  -- For the index of the sitemaps, which has the time of the newest change.
  if has_updated_at then
    execute format('create index %I on public.%I (updated_at desc) %s', content_table || '_updated_at_idx',
      content_table, case when is_publishable then 'where published' else '' end);
  end if;

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

  insert into private.content_kinds (content_table, owner_column, is_publishable, listed_columns, searched_columns)
  values (content_table, owner_column, is_publishable, listed_columns,
    array_remove(coalesce(searched_columns, listed_columns), 'title'));
  perform private.create_index_function(content_table);
  perform private.add_search_triggers(format('public.%I', content_table)::regclass, 'index_' || content_table);
end
$$;
