-- The search over everything (contract, "Searching everything").

-- Splits a search into its terms: words and "phrases", each with a preceding `-` if it excludes. A `-` at the beginning or
-- before another `-` belongs to the word. Only the first 20 terms count.
create function private.search_terms(search_text text)
  returns table (term text, is_excluded boolean, may_be_prefix boolean)
  language sql stable set search_path = '' as $$
  select case when place = 1 then coalesce(part[1], '') else '' end || coalesce(part[2], part[3]),
    place > 1 and part[1] is not null,
    -- The beginning of a longer word ends with a letter or digit, unlike `f()`.
    place = count(*) over () and part[2] is null and part[1] is null
      and right(part[3], 1) = right(rtrim(private.split_words(part[3])), 1)
  from regexp_matches(' ' || private.fold_accents(search_text), '\s+(-(?=[^-\s]))?(?:"([^"]+)"?|(\S+))', 'g')
    with ordinality as matched (part, place)
  where btrim(coalesce(part[2], part[3]), ' "') <> ''
  order by place limit 20
$$;

-- Returns a tsquery, as text, for the words of a term, each after `prefix` (see private.search_vector), or null if the term has
-- no words, such as `->`. With `may_be_prefix`, the last word may be the beginning of a word of two characters or more.
create function private.words_query(term text, prefix text, may_be_prefix boolean) returns text
  language sql stable set search_path = '' as $$
  select string_agg(format('%L%s', prefix || word, case
      -- In scripts without spaces, a single character may be the first of any pair.
      when char_length(word) = 1 and octet_length(word) > 2 then ':*'
      when may_be_prefix and place = last_place and char_length(word) > 1 then ':*' end), ' & ')
  from (
    select word, place, max(place) over () as last_place
    from string_to_table(private.split_words(term), ' ') with ordinality as split (word, place)
    where word <> ''
  ) as words
$$;

-- Returns a regular expression that finds a folded term in a folded text, as written, but with any characters other than
-- letters and digits between the words of a phrase.
create function private.term_pattern(term text, may_be_prefix boolean) returns text
  language sql stable set search_path = '' as $$
  select case when term ~ ('^' || private.letter()) then '(?<!' || private.letter() || ')' else '' end
    || string_agg(regexp_replace(word, '([^[:alnum:]])', '\\\1', 'g'), '[^[:alnum:]]+' order by place)
    || case when term ~ (private.letter() || '$') and not may_be_prefix then '(?!' || private.letter() || ')' else '' end
  from string_to_table(private.collapse_spaces(term), ' ') with ordinality as words (word, place)
$$;

-- Whether a text contains a term. Doesn't fold long texts, because a member's long texts would otherwise slow down everyone's
-- searches: in them, accents and the space between the words of a phrase count. In scripts without spaces, reads as much as
-- private.search_vector() does.
create function private.contains_term(content text, term text, pattern text) returns boolean
  language sql immutable parallel safe set search_path = '' as $$
  select case when octet_length(content) <= 50000 then private.fold_accents(content) ~ pattern
    else strpos(lower(case when term ~ private.unspaced() then left(content, 100000) else content end collate "C"), term) > 0
  end
$$;

-- Returns up to 200 characters of a text around the first place that matches the pattern, in parts: every second part, starting
-- with the second, matches. Reads only the first 20,000 characters.
create function private.excerpt(content text, pattern text) returns text[]
  language plpgsql stable set search_path = '' as $$
declare
  beginning constant text := left(coalesce(content, ''), 20000);
  whole text;
  folded text;
  first integer;
  parts text[] := '{}'::text[];
  done integer := 1;
  hit integer;
  hit_end integer;
begin
  -- Folding takes long, so this reads part after part until one matches. The parts overlap: each hit is in one that also
  -- contains the text around it. The first character of a part may be in the middle of a word.
  for start in 0 .. greatest(char_length(beginning) - 200, 0) by 1800 loop
    whole := normalize(substr(beginning, greatest(start - 59, 1), 2060), NFC);
    folded := private.fold_accents(whole);
    first := regexp_instr(folded, pattern, case when start = 0 then 1 else 2 end);
    exit when first > 0 and (first <= 1860 or start + 2000 >= char_length(beginning));
  end loop;
  if first = 0 then
    whole := normalize(left(beginning, 200), NFC);
    folded := whole;
  elsif char_length(folded) <> char_length(whole) then
    select string_agg(coalesce(nullif(left(private.fold_accents(letter), 1), ''), ' '), '' order by place) into folded
    from string_to_table(whole, null) with ordinality as letters (letter, place);
    first := regexp_instr(folded, pattern);
  end if;
  first := greatest(first - 60, 1);
  if first > 1 then
    -- Begin with a whole word, if one begins nearby.
    first := first + coalesce(nullif(strpos(substr(whole, first, 30), ' '), 0), 0);
  end if;
  whole := substr(whole, first, 200);
  folded := substr(folded, first, 200);
  loop
    hit := regexp_instr(folded, pattern, done);
    exit when hit = 0;
    hit_end := regexp_instr(folded, pattern, done, 1, 1);
    exit when hit_end <= hit;
    parts := parts || substr(whole, done, hit - done) || substr(whole, hit, hit_end - hit);
    done := hit_end;
    exit when done > char_length(folded);
  end loop;
  return parts || substr(whole, done);
end
$$;

-- Fills a source's columns into a condition of public.search_everything().
create function private.fill_in(condition text, source private.search_sources) returns text
  language sql stable set search_path = '' as $$
  select format(condition, format('private.search_vector(%s, %s, %s)', source.title, source.title_words, source.texts),
    format('concat_ws(E''\n'', %s, %s)', source.title_words, source.texts),
    source.owner_column, source.title_words, source.relation, source.id_column)
$$;

create function private.vector_condition(words text[]) returns text
  language sql stable set search_path = '' as $$
  select case when words = '{}' then 'true' else format('%%1$s @@ %L', array_to_string(words, ' & ')) end
$$;

-- Returns a condition for rows of the alias `items`: not those that another condition finds. The index finds these first.
create function private.not_among(condition text) returns text
  language sql stable set search_path = '' as $$
  select format('not exists (select from %%5$s as others where others.%%6$I = items.%%6$I and %s)', condition)
$$;

create function private.all_of(conditions text[]) returns text
  language sql stable set search_path = '' as $$
  select coalesce(string_agg(condition, ' and '), 'true') from unnest(conditions) as condition where condition <> ''
$$;

-- Runs a query that returns one JSON value with bitmap scans and hash joins only. The planner assumes that a bitmap scan
-- evaluates the vector of each row that it finds, and would otherwise choose plans that really do.
create function private.run_with_bitmaps(query text) returns jsonb
  language plpgsql stable set search_path = '' set enable_indexscan = off set enable_seqscan = off set enable_nestloop = off as $$
declare
  result jsonb;
begin
  execute query into result;
  return result;
end
$$;

/*
 * Searches all public content and people (contract, "Searching everything"). Returns one JSON object:
 *
 *   counts   an object with the number of results of each kind, counted up to 1,000
 *   results  the page of results: exact titles first, then those with all words in their title; the newest first among equals
 *   next     the cursor of the next page, or null
 *
 * Each result has
 *
 *   kind, id, created_at, title
 *   excerpt  an array of strings: text around the first hit. Every second string, starting with the second, is a hit
 *   author   { id, username, full_name }, or null for a person
 *   person   { username, avatar_url, current_title, company, skills: [{ category, name, proficiency }] } for a person: at most
 *            eight skills, those that match first
 *
 * `search_kind` is the name of a content table, `people`, or empty for everything; counts always cover everything. Without a
 * search, there are no results. An invalid cursor returns the first page. Only the first 300 characters and 20 words count.
 * The function runs as its owner, because clients have no access to schema `private`. It returns only public data.
 */
create function public.search_everything(
  search_text text default '',
  search_kind text default '',
  page_cursor text default null,
  page_size integer default 20
) returns setof json
  language plpgsql stable security definer set search_path = '' as $$
declare
  text constant text := coalesce(left(private.collapse_spaces(search_text), 300), '');
  wanted constant integer := greatest(least(page_size, 60), 1);
  hash constant text := private.title_hash(replace(text, '"', ''));
  cursor_parts text[] := regexp_match(page_cursor,
    '^([012])~(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6})~([0-9a-f-]{36})~([a-z_]+)$');
  after_time timestamptz;
  after_id uuid;
  term record;
  source private.search_sources;
  words text;
  contains text;
  pattern text;
  is_exact boolean;
  authors uuid[];
  -- For each term: a tsquery for the index, the same for titles, and conditions, or '' if the index decides alone. In
  -- conditions, %1$s is the vector, %2$s all texts, %3$I the owner's column, %4$s the words of the title, %5$s the relation
  -- and %6$I its id.
  included text[] := '{}'::text[];
  in_title text[] := '{}'::text[];
  text_checks text[] := '{}'::text[];
  title_checks text[] := '{}'::text[];
  patterns text[] := '{}'::text[];
  -- The places of the terms that are in a person's name, and a condition for the name of each term.
  named integer[] := '{}'::integer[];
  name_checks text[] := '{}'::text[];
  in_name integer[];
  -- For the excluded terms.
  excluded text[] := '{}'::text[];
  negated text[];
  exclusions text[] := '{}'::text[];
  author_exclusions text[] := '{}'::text[];
  is_exact_title constant text := quote_literal('=' || hash);
  is_in_title text;
  -- The queries that find the results of a source together: { of_people, words, condition }.
  alternatives jsonb := '[]'::jsonb;
  words_of_part text[];
  conditions text[];
  part record;
  combine text;
  newest text;
  newest_from timestamptz;
  tier integer;
  queries text[];
  counts jsonb;
  found jsonb := '[]'::jsonb;
  page jsonb := '[]'::jsonb;
  results json;
begin
  begin
    after_time := (cursor_parts[2] || 'Z')::timestamptz;
    after_id := cursor_parts[3]::uuid;
  exception when data_exception then
    cursor_parts := null;
  end;

  for term in select * from private.search_terms(text) loop
    words := private.words_query(term.term, '', term.may_be_prefix);
    pattern := private.term_pattern(term.term, term.may_be_prefix);
    -- format() fills in the source's columns later.
    contains := replace(format('private.contains_term(@texts, %L, %L)', term.term, pattern), '%', '%%');
    -- Whether the index alone decides: the term is one word, or one pair of characters.
    is_exact := strpos(term.term, ' ') = 0 and trim(private.split_words(term.term)) = term.term
      or term.term ~ ('^' || private.unspaced() || '{1,2}$');
    authors := '{}';
    if words is not null then
      authors := array(
        select profile_id from private.people_search
        where private.search_vector(name, names, document) @@ private.words_query(term.term, '^', term.may_be_prefix)::tsquery
          and by_name is not null and (is_exact or private.contains_term(names, term.term, pattern))
        limit case when term.is_excluded then 1000 else 1 end);
    end if;

    if term.is_excluded then
      if is_exact then
        excluded := excluded || words;
      else
        exclusions := exclusions || ('not ' || replace(contains, '@texts', '%2$s'));
      end if;
      if authors <> '{}' then
        author_exclusions := author_exclusions || format('%%3$I <> all (%L)', authors);
      end if;
      continue;
    end if;

    patterns := patterns || pattern;
    included := included || coalesce(words, '');
    in_title := in_title || coalesce(private.words_query(term.term, '^', term.may_be_prefix), '');
    text_checks := text_checks || case when is_exact then '' else replace(contains, '@texts', '%2$s') end;
    title_checks := title_checks || case when is_exact then '' else replace(contains, '@texts', '%4$s') end;
    name_checks := name_checks || case when is_exact then ''
      else format('private.contains_term(names, %L, %L)', term.term, pattern) end;
    if authors <> '{}' then
      named := named || cardinality(included);
    end if;
  end loop;

  if array_remove(included, '') = '{}' then
    return next json_build_object('counts', json_build_object(), 'results', json_build_array(), 'next', null);
    return;
  end if;
  negated := array(select format('!(%s)', word) from unnest(excluded) as word);
  is_in_title := private.vector_condition(array_remove(in_title, '')) || ' and ' || private.all_of(title_checks);

  -- Each term is in an item's texts or in its author's name. Each combination is a query of its own: with `or`, the planner may
  -- evaluate the vector of every row. Of the names, the fourth and later ones are together in the texts or in the name.
  for combination in 0 .. (1 << least(cardinality(named), 4)) - 1 loop
    in_name := array(select place from unnest(named) with ordinality as names (place, number)
      where combination & (1 << least(number, 4)::integer - 1) <> 0);
    conditions := array(select text_check from unnest(text_checks) with ordinality as checks (text_check, place)
      where place <> all (in_name)) || exclusions;
    words_of_part := array(select word from unnest(included) with ordinality as words (word, place)
      where place <> all (in_name) and word <> '');
    if in_name <> '{}' then
      execute format('select array(select profile_id from private.people_search
          where private.search_vector(name, names, document) @@ %L and by_name is not null and %s limit 1000)',
        (select string_agg(in_title[place], ' & ') from unnest(in_name) as place),
        private.all_of(array(select name_checks[place] from unnest(in_name) as place))) into authors;
      continue when authors = '{}';
      conditions := conditions || format('%%3$I = any (%L)', authors);
    end if;
    if words_of_part = '{}' then
      -- For an exclusion alone, an index would read everything.
      conditions := conditions || array(
        select private.not_among(private.vector_condition(array[word])) from unnest(excluded) as word);
    else
      words_of_part := words_of_part || negated;
    end if;
    if combination = 0 then
      -- A person has no author: the name is among the texts.
      alternatives := alternatives || jsonb_build_object('place', -1, 'of_people', true, 'words', words_of_part,
        'condition', private.all_of(conditions));
    end if;
    alternatives := alternatives || jsonb_build_object('place', combination, 'of_people', false, 'words', words_of_part,
      'condition', private.all_of(conditions || author_exclusions));
  end loop;

  -- Removing duplicates takes time, and one query has none.
  combine := case when jsonb_array_length(alternatives) = 2 then ' union all ' else ' union ' end;
  queries := '{}';
  for part in
    select searched as source, alternative.*
    from private.search_sources as searched
    join jsonb_to_recordset(alternatives) as alternative (place integer, of_people boolean, words text[], condition text)
      on of_people = (searched.owner_column is null)
  loop
    queries := queries || private.fill_in(format('(select %L as kind, items.%%6$I as id from %%5$s as items where %s and %s and %s limit 1000)',
      (part.source).kind, (part.source).is_visible, private.vector_condition(part.words), part.condition), part.source);
  end loop;
  counts := private.run_with_bitmaps(format('select jsonb_object_agg(kind, least(coalesce(count, 0), 1000))
    from private.search_sources left join (select kind, count(*) from (%s) as items group by kind) as counted using (kind)',
    array_to_string(queries, combine)));

  -- Sorting all rows with a common word takes long, and the newest rows have it, too. So first search the newest rows of the
  -- sources in which a thousand rows match, all back to the same time.
  select string_agg(format('(select created_at from %s where %s and (%L is null or created_at <= %3$L)
    order by created_at desc offset 999 limit 1)', relation, is_visible, after_time), ' union all ') into newest
  from private.search_sources where search_kind in ('', kind) and (counts ->> kind)::integer = 1000;
  if newest is not null then
    execute format('select max(created_at) from (%s) as oldest', newest) into newest_from;
  end if;

  foreach tier in array array[0, 1, 2] loop
    continue when tier < cursor_parts[1]::integer;
    foreach newest in array array_remove(array[newest_from::text, '-infinity'], null) loop
      continue when tier = 0 and newest <> '-infinity';
      queries := '{}';
      for part in
        select searched as source, alternative.*
        from private.search_sources as searched
        join jsonb_to_recordset(alternatives) as alternative (place integer, of_people boolean, words text[], condition text)
          on of_people = (searched.owner_column is null)
        -- A title contains all words, so that its author doesn't matter.
        where search_kind in ('', searched.kind) and (counts ->> searched.kind)::integer > 0 and (tier = 2 or place <= 0)
      loop
        conditions := array[(part.source).is_visible, part.condition, case
          when tier = 0 then private.vector_condition(is_exact_title || negated)
          when tier = 1 then private.vector_condition(array_remove(in_title, '') || negated || ('!' || is_exact_title))
            || ' and ' || private.all_of(title_checks)
          -- If possible, the index decides this, too.
          when private.all_of(title_checks) = 'true' and part.words <> '{}' then private.vector_condition(part.words
            || format('!(%s)', array_to_string(array_remove(in_title, ''), ' & ')))
          else private.vector_condition(part.words) || ' and ' || private.not_among(is_in_title) end];
        if tier::text = cursor_parts[1] then
          conditions := conditions || format('(created_at < %1$L or created_at = %1$L and (items.%%6$I, %2$L) > (%3$L, %4$L))',
            after_time, (part.source).kind, after_id, cursor_parts[4]);
        end if;
        queries := queries || private.fill_in(format('(select %L as kind, items.%%6$I as id, created_at from %%5$s as items
            where %s and created_at >= %L order by created_at desc, id limit %s)', (part.source).kind, private.all_of(conditions),
          case when (counts ->> (part.source).kind)::integer = 1000 then newest else '-infinity' end, wanted + 1), part.source);
      end loop;
      exit when queries = '{}';
      page := private.run_with_bitmaps(format('select coalesce(jsonb_agg(to_jsonb(item) order by created_at desc, id, kind), ''[]'') from (
          select %s as tier, * from (%s) as items order by created_at desc, id, kind limit %s) as item',
        tier, array_to_string(queries, combine), wanted + 1 - jsonb_array_length(found)));
      exit when jsonb_array_length(found || page) > wanted;
    end loop;
    found := found || page;
    exit when jsonb_array_length(found) > wanted;
  end loop;

  queries := '{}';
  pattern := array_to_string(patterns, '|');
  for source in select * from private.search_sources where found @> jsonb_build_array(jsonb_build_object('kind', kind)) loop
    queries := queries || format($q$
      select f.place, json_build_object('kind', %1$L, 'id', f.id, 'created_at', f.created_at, 'title', item.title,
        'excerpt', private.excerpt(%2$s, $2),
        'author', case when item.owner is not null then
          json_build_object('id', p.id, 'username', p.username, 'full_name', p.full_name) end,
        'person', case when item.owner is null then json_build_object('username', p.username, 'avatar_url', p.avatar_url,
          'current_title', p.current_title, 'company', p.company, 'skills', (
            select coalesce(json_agg(json_build_object('category', category, 'name', name, 'proficiency', proficiency)
              order by place), '[]')
            from (
              select *, row_number() over (order by private.fold_accents(name) ~ $2 desc, proficiency desc, name, id) as place
              from public.skills where profile_id = p.id order by place limit 8
            ) as shown)) end) as result
      from (select * from jsonb_array_elements($1) with ordinality as listed (row, place),
          jsonb_to_record(row) as parts (kind text, id uuid, created_at timestamptz) where kind = %1$L and place <= $3) as f
      join lateral (select %3$s as title, %4$s as owner, %5$s as texts from %6$s where %7$I = f.id) as item on true
      join public.profiles p on p.id = coalesce(item.owner, f.id) $q$,
      source.kind, case when source.owner_column is null then 'p.bio' else 'item.texts' end, source.title,
      coalesce(quote_ident(source.owner_column), 'null::uuid'), source.texts, source.relation, source.id_column);
  end loop;
  if queries <> '{}' then
    execute format('select json_agg(result order by place) from (%s) as results', array_to_string(queries, ' union all '))
      using found, pattern, wanted into results;
  end if;
  return next json_build_object('counts', counts, 'results', coalesce(results, '[]'), 'next',
    case when jsonb_array_length(found) > wanted then (
      select concat_ws('~', last ->> 'tier', to_char((last ->> 'created_at')::timestamptz at time zone 'UTC',
        'YYYY-MM-DD"T"HH24:MI:SS.US'), last ->> 'id', last ->> 'kind')
      from (select found -> (wanted - 1) as last) as page) end);
end
$$;

revoke execute on function public.search_everything from public;
grant execute on function public.search_everything to anon, authenticated, service_role;
