-- The search of a list (specification §5).

-- Returns the ids of the items whose folded text is long and matches the pattern. The planner doesn't know how long texts are,
-- and would read all of a small table.
create function private.find_long_texts(texts regclass, pattern text) returns uuid[]
  language plpgsql stable set search_path = '' set enable_seqscan = off as $$
declare
  ids uuid[];
begin
  execute format('select array(select item_id from %s where %s and folded like $1)', texts, private.is_long('folded'))
    into ids using pattern;
  return ids;
end
$$;

/*
 * Returns one page of a content list as JSON: the items that contain the search text and whose author matches (specification
 * §5), each with its author, in list order, starting after the cursor. The author search `@{username}` or `@{profile id}`
 * matches exactly this person. With `backwards`, returns the items before the cursor, the nearest first. Ignores white space
 * around the search texts and everything after their first 300 characters. Cuts articles and code after `text_limit`
 * characters, if it is set.
 */
create function public.search_content(
  content_table text,
  search_text text default '',
  search_author text default '',
  oldest_first boolean default false,
  cursor_time timestamptz default null,
  cursor_id uuid default null,
  backwards boolean default false,
  page_size integer default 60,
  text_limit integer default null
) returns setof json
  language plpgsql stable security invoker set search_path = '' as $$
declare
  kind constant private.content_kinds := private.find_kind(content_table);
  -- Items with the same time are listed by ascending id in both sort orders. `backwards` reverses both columns.
  is_descending constant boolean := oldest_first = backwards;
  list_order constant text := format('t.created_at %s, t.id %s',
    case when is_descending then 'desc' else 'asc' end, case when backwards then 'desc' else 'asc' end);
  after_cursor constant text := format('($1 is null or t.created_at %1$s= $1 and (t.created_at %1$s $1 or t.id %2$s $2))',
    case when is_descending then '<' else '>' end, case when backwards then '<' else '>' end);
  text constant text := coalesce(private.fold_case(left(private.trim_spaces(search_text), 300)), '');
  author constant text := coalesce(left(private.trim_spaces(search_author), 300), '');
  author_name constant text := private.fold_case(author);
  author_id uuid;
  in_list text := after_cursor;
  -- PostgreSQL reads only the beginning of a text for left().
  columns constant text := (
    select string_agg(case when text_limit is not null and atttypid = 'public.long_text'::regtype
      then format('left(t.%1$I, %2$s) as %1$I', attname, greatest(text_limit, 0)) else format('t.%I', attname) end,
      ', ' order by attnum)
    from pg_catalog.pg_attribute
    where attrelid = format('public.%I', content_table)::regclass and attnum > 0 and not attisdropped);
  -- Texts of one or two characters have no trigrams. For them, scanning the table with `strpos` is faster than the index.
  texts constant text := format('private.%I', content_table || '_text');
  is_match constant text := case when char_length(text) < 3 then 'strpos(folded, $3) > 0' else 'folded like $3' end;
  has_text text := 'true';
  has_author text := 'true';
  text_pattern constant text := case when char_length(text) < 3 then text else private.containing(text) end;
  missing integer := least(page_size, 61);
  found_rows integer;
  next_rows integer;
begin
  if kind is null then
    raise exception 'unknown content table' using errcode = '22023';
  end if;

  if author ~ '^@.' then
    if author ~* '^@[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then
      author_id := substr(author, 2)::uuid;
    else
      -- A username belongs to the profile that has held it longest (contract).
      select id into author_id from public.profiles where username = substr(author, 2)
      order by username_since, created_at, id limit 1;
    end if;
    in_list := format('%s and t.%I = %L', after_cursor, kind.owner_column, author_id);
  elsif author <> '' then
    has_author := $p$ private.fold_case(coalesce(p.full_name, '') || E'\n' || coalesce(p.username, '')) like $4 $p$;
  end if;

  if char_length(text) > 2 then
    has_text := format('(select case when %s then item_id = any ((select private.find_long_texts(%L, $3))::uuid[])
      else %s end from %s where item_id = listed.id)', private.is_long('folded'), texts, is_match, texts);
  elsif text <> '' then
    has_text := format('(select %s from %s where item_id = listed.id)', is_match, texts);
  end if;

  -- First read the list in order. This is fastest without a search, and for texts that many items contain.
  foreach next_rows in array array[200, 2000, 20000] loop
    return query execute format($q$
      select row_to_json(item) from (
        select %7$s, json_build_object('username', p.username, 'full_name', p.full_name) as profiles
        from (
          select * from (select * from public.%1$I t where %3$s order by %4$s limit $6) as listed
          where %5$s
        ) as t
        join public.profiles p on p.id = t.%2$I
        where %6$s
        order by %4$s limit $5
      ) as item $q$, content_table, kind.owner_column, in_list, list_order, has_text, has_author, columns)
      using cursor_time, cursor_id, text_pattern, private.containing(author_name), missing, next_rows;
    get diagnostics found_rows = row_count;
    missing := missing - found_rows;
    if missing = 0 then
      return;
    end if;
    execute format('select t.created_at, t.id from public.%I t where %s order by %s offset $3 - 1 limit 1',
      content_table, in_list, list_order) into cursor_time, cursor_id using cursor_time, cursor_id, next_rows;
    if cursor_time is null then
      return;
    end if;
    -- Without a text, an author search that finds nearly nothing is faster by author. With one, the newest items may lack a
    -- popular text by chance.
    exit when found_rows < 4 and (text = '' or next_rows > 200);
  end loop;

  if text <> '' then
    has_text := format('t.id in (select item_id from %s where %s)', texts, is_match);
  end if;

  -- Find the remaining items with the trigram index. Without `materialized`, the planner might read the list in order again,
  -- because with row-level security it cannot estimate how rare a text is.
  return query execute format($q$
    with matching as materialized (
      select t.id, t.created_at from (select * from public.%1$I t where %3$s and %5$s) as t
      join public.profiles p on p.id = t.%2$I
      where %6$s
    ), page as (
      -- Many items can match, so sort only their ids.
      select * from matching t order by %4$s limit $5
    )
    select row_to_json(item) from (
      select %7$s, json_build_object('username', p.username, 'full_name', p.full_name) as profiles
      from page join public.%1$I t using (id) join public.profiles p on p.id = t.%2$I order by %4$s
    ) as item $q$,
    content_table, kind.owner_column, in_list, list_order, has_text, has_author, columns)
    using cursor_time, cursor_id, text_pattern, private.containing(author_name), missing;
end
$$;

revoke execute on function public.search_content from public;
grant execute on function public.search_content to anon, authenticated, service_role;
