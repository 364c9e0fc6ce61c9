-- The searches of the lists and of the directory of people.

-- Removes the marks that only punctuate a folded word of a search, unless it has nothing else. `C++`, `C#`, `.net`, `f()`,
-- `--force` and `/etc/hosts` keep theirs.
create function private.bare_word(word text) returns text
  language plpgsql immutable strict parallel safe set search_path = '' as $$
declare
  bare text := regexp_replace(word, '^[("''\[{#@¿¡,;:!?、。「『《【（]+(?=.)', '');
  shorter text;
begin
  loop
    shorter := regexp_replace(bare, '[?!.,;:"''…、。」』》】）]+$', '');
    if right(shorter, 1) in (')', ']', '}') and
      length(replace(replace(replace(shorter, '(', ''), '[', ''), '{', '')) > length(replace(replace(replace(shorter, ')', ''), ']', ''), '}', '')) then
      shorter := left(shorter, -1);
    end if;
    exit when shorter = bare;
    bare := shorter;
  end loop;
  return case when bare ~ '[[:alnum:]]' or bare collate "C" ~ '[^\u0001-\u007f]' then bare else word end;
end
$$;

-- Returns the words of a folded search, without marks that only punctuate it. A slash, comma, semicolon or bar between words
-- separates them. A single mark counts only if the search has nothing else.
create function private.bare_words(folded text) returns text[]
  language sql immutable strict parallel safe set search_path = '' as $$
  with words as (
    select part as word, place, part_place, char_length(part) > 1 or part ~ '[[:alnum:]]' or octet_length(part) > 1 as counts
    from string_to_table(folded, ' ') with ordinality as w (written, place)
    cross join lateral (select private.bare_word(written) as bare) as b
    cross join lateral string_to_table(case when bare ~ '^[[:alnum:]]+([/,;|][[:alpha:]][[:alnum:]]*)+$'
      then translate(bare, '/,;|', '    ') else bare end, ' ') with ordinality as p (part, part_place)
    where written <> ''
  )
  select coalesce(array_agg(word order by place, part_place), '{}') from words
  where counts or not exists (select from words where counts)
$$;

-- Splits a search into its terms: words and "phrases", each with a preceding `-` if it excludes. A `-` at the beginning or
-- before another `-` belongs to the word. Only the first 20 terms count.
create function private.search_terms(search_text text)
  returns table (term text, is_excluded boolean, may_be_prefix boolean)
  language sql stable set search_path = '' as $$
  with parts as (
    select place, place > 1 and part[1] is not null as is_excluded, part[2] is not null as is_phrase,
      case when place = 1 then coalesce(part[1], '') else '' end || coalesce(part[2], part[3]) as written
    from regexp_matches(' ' || private.fold_accents(search_text), '\s+(-(?=[^-\s]))?(?:"([^"]+)"?|(\S+))', 'g')
      with ordinality as matched (part, place)
    where btrim(coalesce(part[2], part[3]), ' "') <> ''
  ), words as (
    select place, word_place, is_excluded, is_phrase, word,
      is_phrase or char_length(word) > 1 or word ~ '[[:alnum:]]' or octet_length(word) > 1 as counts
    from parts cross join lateral unnest(case
      when is_phrase then array[array_to_string(private.bare_words(private.collapse_spaces(written)), ' ')]
      else private.bare_words(written) end) with ordinality as w (word, word_place)
  )
  select word, is_excluded,
    -- The beginning of a longer word ends with a letter or digit, unlike `f()`.
    row_number() over (order by place desc, word_place desc) = 1 and not is_phrase and not is_excluded
      and right(word, 1) = right(rtrim(private.split_words(word)), 1)
  from words where counts or not exists (select from words where counts)
  order by place, word_place limit 20
$$;

-- Checks an argument of a function of the API. The caller receives the sentence.
create function private.check_argument(is_valid boolean, sentence text) returns void
  language plpgsql stable set search_path = '' as $$
begin
  if is_valid is not true then
    raise exception '%', sentence using errcode = '22023';
  end if;
end
$$;

create function private.check_page_size(page_size integer) returns void
  language sql stable set search_path = '' as $$
  select private.check_argument(page_size between 1 and 100, 'page_size must be between 1 and 100')
$$;

create function private.check_content_table(name text) returns void
  language sql stable set search_path = '' as $$
  select private.check_argument(name in (select content_table from private.content_kinds),
    'content_table must be one of ' || (select string_agg(content_table, ', ' order by content_table) from private.content_kinds))
$$;

-- How much one search reads at most before it offers to search older items: rows and bytes in the order of a list, and
-- matches from an index, which aren't in that order.
create function private.max_rows_of_search() returns integer
  language sql immutable parallel safe set search_path = '' as 'select 20000';
create function private.max_bytes_of_search() returns bigint
  language sql immutable parallel safe set search_path = '' as 'select 32000000::bigint';
create function private.max_matches_of_search() returns integer
  language sql immutable parallel safe set search_path = '' as 'select 2000';

-- The functions that ask an index return up to one more than that, in no order. They may use only bitmap scans, because the
-- planner knows neither how rare a text is nor how long it takes to read.
create function private.ask_listed_index(in_kind text, pattern text, owners uuid[]) returns uuid[]
  language sql stable set search_path = ''
  set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
  select array(select id from private.search_documents
    where listed like pattern and kind || '' = in_kind and (owners is null or owner = any (owners))
    limit private.max_matches_of_search() + 1)
$$;

create function private.ask_owner_index(in_kind text, owners uuid[]) returns uuid[]
  language sql stable set search_path = ''
  set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
  select array(select id from private.search_documents where kind = in_kind and owner = any (owners)
    limit private.max_matches_of_search() + 1)
$$;

create function private.find_authors(part text) returns uuid[]
  language plpgsql stable set search_path = '' as $$
begin
  if char_length(part) > 2 then
    return array(select id from private.search_documents
      where listed like private.containing(part) and kind = 'people' and names like private.containing(part) limit 1001);
  end if;
  return array(select id from private.search_documents where kind = 'people' and strpos(names, part) > 0 limit 1001);
end
$$;

/*
 * Returns one page of a content list: the items that contain the search text and whose author matches (specification §5),
 * each with its author, in list order, starting after the cursor. The author search `@{username}` or `@{profile id}` matches
 * exactly this person. With `backwards`, returns the items before the cursor, the nearest first. Ignores white space around
 * the search texts and everything after their first 300 characters. Cuts articles and code after `text_limit` characters, if
 * it is set. The result is one JSON object: `items`, and `older`, the position ({ created_at, id }) at which the search has
 * stopped because it has reached its budget, or null.
 */
create function public.search_items(
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
  language plpgsql stable security definer set search_path = '' as $$
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
  owners uuid[];
  candidates uuid[];
  found uuid[];
  -- The rows in list order after the cursor, up to a number of rows and of bytes to read.
  walked constant text := format($q$
    (select * from (
      select t.created_at, t.id, t.owner, t.listed, sum(t.size) over (order by %1$s) as bytes
      from private.search_documents t where t.kind = $3 and %2$s order by %1$s limit $4
    ) as t where t.bytes <= $5) as t $q$, list_order, after_cursor);
  most_rows integer;
  stopped_time timestamptz;
  stopped_id uuid;
  columns constant text := (
    select string_agg(case when text_limit is not null and atttypid = 'public.long_text'::regtype
      -- PostgreSQL reads only the beginning of a text for left().
      then format('left(t.%1$I, %2$s) as %1$I', attname, text_limit) else format('t.%I', attname) end,
      ', ' order by attnum)
    from pg_catalog.pg_attribute
    where attrelid = to_regclass(format('public.%I', content_table)) and attnum > 0 and not attisdropped);
  items json;
begin
  perform private.check_content_table(content_table);
  perform private.check_page_size(page_size);
  perform private.check_argument((cursor_time is null) = (cursor_id is null),
    'cursor_time and cursor_id must be set together, to the created_at and the id of an item');
  perform private.check_argument(coalesce(text_limit, 0) >= 0, 'text_limit must be 0 or more');

  if author ~* '^@[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then
    owners := array[substr(author, 2)::uuid];
  elsif author ~ '^@.' then
    -- A username belongs to the profile that has held it longest (contract).
    owners := array(select id from public.profiles where username = substr(author, 2)
      order by username_since, created_at, id limit 1);
  elsif author <> '' then
    owners := private.find_authors(private.fold_case(author));
  end if;

  if text = '' and owners is null then
    execute format('select array(select t.id from public.%I t where %s order by %s limit $3)', content_table, after_cursor, list_order)
      into found using cursor_time, cursor_id, page_size;
  elsif text = '' and cardinality(owners) = 1 then
    execute format('select array(select t.id from public.%I t where %s and t.%I = $4 order by %s limit $3)',
      content_table, after_cursor, kind.owner_column, list_order)
      into found using cursor_time, cursor_id, page_size, owners[1];
  else
    -- First the nearest rows: fastest for what many items contain. Then an index, if few rows match. Otherwise more rows.
    foreach most_rows in array array[500, case when char_length(text) in (1, 2) then 100000 else private.max_rows_of_search() end] loop
      execute format('select array(select t.id from %s where ($6 = '''' or strpos(t.listed, $6) > 0)
        and ($7 is null or t.owner = any ($7)) order by %s limit $8)', walked, list_order)
        into found using cursor_time, cursor_id, content_table, most_rows, private.max_bytes_of_search(), text, owners, page_size;
      exit when cardinality(found) = page_size;
      if most_rows = 500 then
        if char_length(text) > 2 then
          candidates := private.ask_listed_index(content_table, private.containing(text), owners);
        elsif owners is not null then
          candidates := private.ask_owner_index(content_table, owners);
        end if;
        if cardinality(candidates) <= private.max_matches_of_search() and coalesce(cardinality(owners), 0) <= 1000 then
          execute format('select array(select t.id from private.search_documents t
            where t.kind = $3 and t.id = any ($4) and ($5 = '''' or strpos(t.listed, $5) > 0) and %s order by %s limit $6)',
            after_cursor, list_order)
            into found using cursor_time, cursor_id, content_table, candidates,
              case when char_length(text) > 2 then '' else text end, page_size;
          exit;
        end if;
      else
        execute format('select t.created_at, t.id from %s order by %s limit 1', walked,
          format('t.created_at %s, t.id %s', case when is_descending then 'asc' else 'desc' end,
            case when backwards then 'asc' else 'desc' end))
          into stopped_time, stopped_id using cursor_time, cursor_id, content_table, most_rows, private.max_bytes_of_search();
        -- Nothing is left to search if no row comes after this one.
        execute format('select $3 from private.search_documents t where t.kind = $4 and $1 is not null and %s limit 1', after_cursor)
          into stopped_id using stopped_time, stopped_id, stopped_id, content_table;
      end if;
    end loop;
  end if;

  execute format($q$
    select json_agg(row_to_json(item)) from (
      select %s, json_build_object('username', p.username, 'full_name', p.full_name) as profiles
      from public.%I t join public.profiles p on p.id = t.%I
      where t.id = any ($1) order by %s
    ) as item $q$, columns, content_table, kind.owner_column, list_order) into items using found;
  return next json_build_object('items', coalesce(items, '[]'), 'older', case when stopped_id is not null then
    json_build_object('created_at', stopped_time, 'id', stopped_id) end);
end
$$;

-- For scripts and for 0.1.0. It doesn't say where the search has stopped.
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
  language sql stable security invoker set search_path = '' as $$
  select item from public.search_items($1, $2, $3, $4, $5, $6, $7, $8, $9) as page
  cross join lateral json_array_elements(page -> 'items') as item
$$;

-- Counts a person's public items of each kind, up to 100.
create function private.count_public_items(person uuid) returns json
  language sql stable set search_path = '' as $$
  select json_object_agg(content_table, (select count(*) from (select from private.search_documents d
    where d.kind = content_table and d.owner = person and d.is_listed limit 100) as items))
  from private.content_kinds
$$;

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
  wanted_category constant text := coalesce(search_category, '');
  patterns constant text[] := array(select private.containing(word) from unnest(private.bare_words(
    private.fold_case(left(private.collapse_spaces(coalesce(search_text, '')), 300)))) as word);
  -- The longest word is usually the rarest. The index finds words of three characters or more.
  longest constant text := (select p from unnest(patterns) as p where char_length(p) > 4 order by char_length(p) desc limit 1);
  suspended constant uuid[] := private.suspended_people();
  candidates uuid[];
  found jsonb;
begin
  perform private.check_page_size(page_size);
  perform private.check_argument(wanted_category in ('', 'python', 'sql', 'aws', 'tools'),
    'search_category must be one of python, sql, aws, tools, or empty');
  perform private.check_argument((cursor_key is null) = (cursor_id is null),
    'cursor_key and cursor_id must be set together, to the sort_key and the id of a person');
  perform private.check_argument(sort_by_name or cursor_key is null or cursor_key ~ '^(\d\d|none)$',
    'cursor_key must be the sort_key of a person in the same order');
  if longest is not null then
    candidates := private.ask_listed_index('people', longest, null);
    if cardinality(candidates) > private.max_matches_of_search() then
      candidates := null;
    end if;
  end if;
  if sort_by_name then
    found := (select jsonb_agg(jsonb_build_object('id', id, 'sort_key', by_name)) from (
      select id, by_name from private.search_documents
      where kind = 'people' and is_listed and id <> all (suspended) and listed like all (patterns) and (candidates is null or id = any (candidates))
        and (wanted_category = '' or wanted_category = any (categories))
        and (cursor_key is null or (by_name, id) > (cursor_key collate "C", cursor_id))
      order by by_name, id limit page_size) as page);
  else
    found := (select jsonb_agg(jsonb_build_object('id', id, 'sort_key', by_experience)) from (
      select id, by_experience from private.search_documents
      where kind = 'people' and is_listed and id <> all (suspended) and listed like all (patterns) and (candidates is null or id = any (candidates))
        and (wanted_category = '' or wanted_category = any (categories))
        and (cursor_key is null or (by_experience, id) > (cursor_key collate "C", cursor_id))
      order by by_experience, id limit page_size) as page);
  end if;
  return query
    select row_to_json(person) from (
      select p.id, p.username, p.full_name, p.avatar_url, p.current_title, p.company, p.years_experience,
        page.entry ->> 'sort_key' as sort_key, shown.skills, private.count_public_items(p.id) as published
      from jsonb_array_elements(coalesce(found, '[]')) with ordinality as page (entry, place)
      join public.profiles p on p.id = (page.entry ->> 'id')::uuid
      cross join lateral (
        select coalesce(json_agg(json_build_object(
          'category', best.category, 'name', best.name, 'proficiency', best.proficiency) order by best.place), '[]') as skills
        from (
          select k.*, row_number() over (order by private.fold_case(k.name) like any (patterns) desc,
            k.category = wanted_category desc, k.proficiency desc, k.name, k.id) as place
          from public.skills k where k.profile_id = p.id order by place limit 8
        ) as best
      ) as shown
      order by page.place
    ) as person;
end
$$;
