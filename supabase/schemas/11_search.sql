-- The search over everything (contract, "Searching everything").

-- Returns a tsquery, as text, for the words of a term, each after `prefix` (see private.document_words), or null if the term has
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

-- Folds each letter of a text on its own, to one character, so that places in the text and in the result are the same. Folds
-- each different letter once, because a text may repeat one that takes long.
create function private.fold_each_letter(content text) returns text
  language sql immutable strict set search_path = '' as $$
  with letters as materialized (
    select letter collate "C", place from string_to_table(content, null) with ordinality as split (letter, place)
  ), folds as materialized (
    select letter, coalesce(nullif(left(private.fold_accents(letter), 1), ''), ' ') as folded
    from (select distinct letter from letters) as different
  )
  select string_agg(f.folded, '' order by l.place) from letters l join folds f on f.letter = l.letter
$$;

-- Folds a text like `private.fold_accents`, but to as many characters, so that places in one are places in the other.
create function private.fold_letters(content text) returns text
  language plpgsql immutable strict set search_path = '' as $$
declare
  folded constant text := private.fold_accents(content);
begin
  if char_length(folded) = char_length(content) then
    return folded;
  end if;
  return private.fold_each_letter(content);
end
$$;

-- Returns a text in parts: every second part, starting with the second, matches the pattern. `folded` is the folded text or,
-- where the time must be limited, its beginning.
create function private.split_at_hits(content text, folded text, pattern text) returns text[]
  language plpgsql stable strict set search_path = '' as $$
declare
  parts text[] := '{}'::text[];
  done integer := 1;
  hit integer;
  hit_end integer;
begin
  loop
    hit := regexp_instr(folded, pattern, done);
    exit when hit = 0;
    hit_end := regexp_instr(folded, pattern, done, 1, 1);
    exit when hit_end <= hit;
    parts := parts || substr(content, done, hit - done) || substr(content, hit, hit_end - hit);
    done := hit_end;
    exit when done > char_length(folded);
  end loop;
  return parts || substr(content, done);
end
$$;

-- Returns up to 200 characters of a text around the first place that matches the pattern, in parts: every second part, starting
-- with the second, matches. Reads only the first 20,000 characters, and after the first 2,000 no more letters outside of ASCII
-- than `letters_left`, which it reduces. Two letters of which folding makes 18 and 8 never match.
create function private.excerpt(content text, pattern text, inout letters_left integer, out parts text[])
  language plpgsql stable set search_path = '' as $$
declare
  beginning constant text := left(coalesce(content, ''), 20000);
  part text;
  whole text;
  folded text;
  first integer;
begin
  -- Folding takes long, so this reads part after part until one matches. The parts overlap: each hit is in one that also
  -- contains the text around it. The first character of a part may be in the middle of a word.
  for start in 0 .. greatest(char_length(beginning) - 200, 0) by 1800 loop
    part := substr(beginning, greatest(start - 59, 1), 2060);
    if start > 0 and octet_length(part) > char_length(part) then
      exit when letters_left <= 0;
      letters_left := letters_left - 2000;
    end if;
    whole := normalize(part, NFC);
    folded := private.fold_accents(translate(whole, U&'\FDFA\FDFB', '  '));
    first := regexp_instr(folded, pattern, case when start = 0 then 1 else 2 end);
    exit when first > 0 and (first <= 1860 or start + 2000 >= char_length(beginning));
  end loop;
  if first = 0 then
    whole := normalize(left(beginning, 200), NFC);
    folded := whole;
  elsif char_length(folded) <> char_length(whole) then
    folded := private.fold_each_letter(whole);
    first := regexp_instr(folded, pattern);
  end if;
  first := greatest(first - 60, 1);
  if first > 1 then
    -- Begin with a whole word, if one begins nearby.
    first := first + coalesce(nullif(strpos(substr(whole, first, 30), ' '), 0), 0);
  end if;
  whole := substr(whole, first, 200);
  folded := substr(folded, first, 200);
  parts := private.split_at_hits(whole, folded, pattern);
end
$$;

-- A document that a search has found. The tier is 0 for an exact title, 1 for all words in the title, and otherwise 2.
create type private.search_hit as (tier integer, created_at timestamptz, id uuid, kind text);

-- Whether the index has more than about 64,000 keys with a prefix. It would read them all, and one member can add millions.
create function private.is_wide(prefix text) returns boolean
  language sql stable set search_path = '' as $$
  select count(*) > 1000 from (
    select from private.search_sample where key >= prefix and key < prefix || U&'\+10FFFF' limit 1001) as sampled
$$;

-- A term of a search: a word or a phrase. `words`, `index_words` and `title_words` are conditions for a document's words, or
-- null if the term has none, such as `->`. `index_words` lack the last word if it is a prefix that is too wide for the index.
-- The index alone decides an exact term: one word, or one pair of characters. `authors` are people whose names contain the
-- term, at most 100 or, if it is excluded, 2,000. `name_words` find them in the index.
create type private.search_term as (
  term text, is_excluded boolean, is_exact boolean, is_wide boolean, is_name boolean,
  words text, index_words text, title_words text, name_words text, pattern text, authors uuid[]
);

-- The conditions of a search. An item has all `words`, or its author's name contains some of the terms and the item has the
-- others: those in `author_words`, in the order of `authors`. The index finds these items with `index_words`, which are null if
-- all terms are too wide, with `author_queries`, and by `full_authors`, whose names contain all terms. For texts: the terms that
-- the index can't decide alone, each with a regular expression and the owners (ids, separated by spaces) whose names contain
-- it. Texts don't contain the excluded terms.
create type private.search_plan as (
  words tsquery, title_words tsquery, exact_title tsquery, is_wide boolean, index_words tsquery,
  authors uuid[], author_words tsquery[], full_authors uuid[], author_queries tsquery[], excluded_authors uuid[],
  terms text[], patterns text[], owners text[],
  excluded_terms text[], excluded_patterns text[]
);

create function private.has_checks(plan private.search_plan) returns boolean
  language sql immutable parallel safe set search_path = '' as $$
  select (plan).terms <> '{}' or (plan).excluded_terms <> '{}'
$$;

create function private.passes(plan private.search_plan, folded text, owner uuid) returns boolean
  language plpgsql immutable parallel safe set search_path = '' as $$
declare
  -- Decompresses the text once.
  content constant text := folded || '';
  -- In long texts, the space between the words of a phrase counts.
  is_long constant boolean := octet_length(content) > 50000;
begin
  for place in 1 .. cardinality(plan.terms) loop
    if not (case when is_long then strpos(content, plan.terms[place]) > 0 else content ~ plan.patterns[place] end)
      and coalesce(strpos(plan.owners[place], owner::text), 0) = 0 then
      return false;
    end if;
  end loop;
  for place in 1 .. cardinality(plan.excluded_terms) loop
    if (case when is_long then strpos(content, plan.excluded_terms[place]) > 0
      else content ~ plan.excluded_patterns[place] end) then
      return false;
    end if;
  end loop;
  return true;
end
$$;

-- Whether the title of a document passes the checks of a search. A title has at most 1,000 characters before it is folded.
create function private.title_passes(plan private.search_plan, seen text) returns boolean
  language sql immutable parallel safe set search_path = '' as $$
  select private.passes(plan, split_part(left(seen, 20000), E'\n', 1), null)
$$;

-- Returns the documents that have the words of both queries, or null if more than 200 have those of the first. Only the first
-- asks the index.
create function private.ask_for_rare_words(rare tsquery, query tsquery, plan private.search_plan) returns private.search_hit[]
  language sql stable set search_path = ''
  set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
  select case when count(*) <= 200 then coalesce(array_agg(
    row(case when words @@ (plan).exact_title then 0 when words @@ (plan).title_words then 1 else 2 end,
      created_at, id, kind)::private.search_hit)
    filter (where words @@ query and owner not in (select unnest((plan).excluded_authors))), '{}') end
  from (select words, created_at, id, kind, owner from private.search_documents where words @@ rare limit 201) as d
$$;

create function private.ask_for_all_words(query tsquery, plan private.search_plan, most integer) returns private.search_hit[]
  language sql stable set search_path = ''
  set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
  select array(
    select row(case when d.words @@ (plan).exact_title then 0 when d.words @@ (plan).title_words then 1 else 2 end,
      d.created_at, d.id, d.kind)::private.search_hit
    from private.search_documents d where d.words @@ query and d.owner not in (select unnest((plan).excluded_authors))
    limit most + 1)
$$;

-- Conditions for a kind come first in a query: where the index estimates no word to be rarer, it starts with the last.
create function private.ask_words_index(query tsquery, plan private.search_plan, most integer) returns private.search_hit[]
  language plpgsql stable set search_path = '' as $$
declare
  -- The index reads all documents with a prefix first, even if another word is rare.
  without_prefix constant text := regexp_replace(query::text, ' & ''[^'']*'':\*', '', 'g');
  has_other_words constant boolean := without_prefix ~ ' & ''[^@~=^%]' and strpos(without_prefix, '!(') = 0;
begin
  return coalesce(
    case when without_prefix <> query::text and has_other_words then
      private.ask_for_rare_words(without_prefix::tsquery, query, plan) end,
    private.ask_for_all_words(query, plan, most));
end
$$;

-- Returns the condition that a document is of one of these kinds, and listed.
create function private.of_kinds(kinds text[]) returns tsquery
  language sql stable set search_path = '' as $$
  select string_agg(format('(''~%s''%s)', kind, case when kind = 'people' then (
    select string_agg(format(' & !''@%s''', suspended), '') from unnest(private.suspended_people()) as suspended) end), ' | ')::tsquery
  from unnest(kinds) as kind
$$;

-- Returns items of authors whose names contain all terms. The index of words would find all of them before the first.
create function private.find_items_of_authors(kinds text[], plan private.search_plan, most integer)
  returns private.search_hit[]
  language sql stable set search_path = ''
  set enable_seqscan = off set enable_bitmapscan = off as $$
  select array(
    select row(case when d.words @@ (plan).exact_title then 0 when d.words @@ (plan).title_words then 1 else 2 end,
      d.created_at, d.id, d.kind)::private.search_hit
    from unnest((plan).full_authors) as author cross join unnest(kinds) as of_kind
    cross join lateral (select * from private.search_documents where owner = author and kind = of_kind offset 0) as d
    where d.is_listed and d.words @@ (plan).author_words[array_position((plan).authors, author)]
      and author not in (select unnest((plan).excluded_authors))
    limit most + 1)
$$;

-- Returns what the index finds in several kinds, in no order. Of a kind with too many, returns at least one more than
-- private.max_matches_of_search(). Asks for all kinds at once, because finding the keys of a prefix takes long.
create function private.find_candidates(
  kinds text[], plan private.search_plan, most integer default private.max_matches_of_search()
) returns private.search_hit[]
  language plpgsql stable set search_path = '' as $$
declare
  -- Names are among a person's own words.
  kinds_of_items constant text[] := array_remove(kinds, 'people');
  candidates private.search_hit[] := private.find_items_of_authors(kinds_of_items, plan, most);
  query tsquery;
  full_kinds text[];
  others text[];
begin
  foreach query in array plan.author_queries loop
    exit when cardinality(candidates) > most;
    candidates := candidates || private.ask_words_index(private.of_kinds(kinds_of_items) && query, plan, most);
  end loop;
  if cardinality(candidates) <= most then
    candidates := candidates || private.ask_words_index(private.of_kinds(kinds) && plan.index_words, plan, most);
  end if;
  candidates := array(select distinct row(h.*)::private.search_hit from unnest(candidates) as h);
  if cardinality(candidates) <= most then
    return candidates;
  end if;
  full_kinds := array(
    select h.kind from unnest(candidates) as h group by h.kind having count(*) > private.max_matches_of_search());
  others := array(select kind from unnest(kinds) as kind where kind <> all (full_kinds));
  return array(select row(h.*)::private.search_hit from unnest(candidates) as h where h.kind = any (full_kinds))
    || case when others <> '{}' then private.find_candidates(others, plan,
      case when full_kinds = '{}' then cardinality(kinds) else 1 end * private.max_matches_of_search()) end;
end
$$;

create function private.find_people_named(query tsquery, pattern text) returns uuid[]
  language sql stable set search_path = ''
  set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
  select array(select id from private.search_documents
    where words @@ query and (pattern is null or private.fold_accents(names) ~ pattern)
    limit private.max_matches_of_search())
$$;

-- Returns up to 100 of these people who have items.
create function private.first_authors(people uuid[]) returns uuid[]
  language sql stable set search_path = '' as $$
  select array(select person from unnest(people) as person
    cross join lateral (select from private.search_documents where owner = person and kind <> 'people' limit 1) as item
    limit 100)
$$;

-- Returns the first `wanted` hits after a position.
create function private.first_hits(hits private.search_hit[], after_hit private.search_hit, wanted integer)
  returns private.search_hit[]
  language sql stable set search_path = '' as $$
  select array(select row(h.tier, h.created_at, h.id, h.kind)::private.search_hit from unnest(hits) as h
    where (after_hit).id is null or (h.tier, -extract(epoch from h.created_at), h.id, h.kind)
      > ((after_hit).tier, -extract(epoch from (after_hit).created_at), (after_hit).id, (after_hit).kind)
    order by h.tier, h.created_at desc, h.id, h.kind limit wanted)
$$;

-- Whether an index has found all matches, and a search may read their texts, if it must.
create function private.is_complete(hits private.search_hit[], plan private.search_plan) returns boolean
  language sql stable set search_path = '' as $$
  select cardinality(hits) <= private.max_matches_of_search() and (not private.has_checks(plan) or (
    select coalesce(sum(d.size), 0) from unnest(hits) as h join private.search_documents d on d.kind = h.kind and d.id = h.id
  ) <= 2 * private.max_bytes_of_search())
$$;

-- Returns the hits that have all words of a search, and pass its checks.
create function private.check_hits(hits private.search_hit[], plan private.search_plan) returns private.search_hit[]
  language sql stable set search_path = '' as $$
  select case when not (plan).is_wide and not private.has_checks(plan) then hits else array(
    select row(case when h.tier = 1 and not private.title_passes(plan, h.seen) then 2 else h.tier end,
      h.created_at, h.id, h.kind)::private.search_hit
    from (
      -- `offset` keeps the condition from becoming one for the index.
      select h.*, d.words, coalesce(d.seen, d.listed) as seen, d.owner from unnest(hits) as h
      join private.search_documents d on d.kind = h.kind and d.id = h.id offset 0
    ) as h
    where (h.words @@ (plan).words or h.owner = any ((plan).authors)
        and h.words @@ (plan).author_words[array_position((plan).authors, h.owner)])
      and private.passes(plan, h.seen, h.owner)) end
$$;

-- Returns the last of the newest rows of a kind after a position that a search may read: at most so many rows, and of bytes
-- until there are so many. This function and the next two read rows only in the order of an index, so that they read no others,
-- whatever the planner believes.
create function private.end_of_window(in_kind text, after_hit private.search_hit, most_rows integer, most_bytes bigint)
  returns private.search_hit
  language sql stable set search_path = ''
  set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set max_parallel_workers_per_gather = 0 as $$
  select row((after_hit).tier, created_at, id, in_kind)::private.search_hit
  from (
    select d.created_at, d.id, sum(d.size) over (order by d.created_at desc, d.id) - d.size as bytes_before
    from private.search_documents d
    where d.kind = in_kind and d.created_at <= coalesce((after_hit).created_at, 'infinity')
      and ((after_hit).id is null or d.created_at < (after_hit).created_at or (d.id, in_kind) > ((after_hit).id, (after_hit).kind))
    order by d.created_at desc, d.id limit most_rows
  ) as t
  where bytes_before < most_bytes order by created_at, id desc limit 1
$$;

-- Whether more than 100 of the newest rows of a kind have words. Then there is no need to ask the index for all rows. Reads more
-- than 500 rows only if that is likely.
create function private.is_common(in_kind text, plan private.search_plan) returns boolean
  language plpgsql stable set search_path = ''
  set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set max_parallel_workers_per_gather = 0 as $$
declare
  of_kind constant tsquery := format('''~%s''', in_kind)::tsquery;
  rows_read integer;
  matches integer;
begin
  foreach rows_read in array '{500,2500}'::integer[] loop
    matches := (select count(*) from (
      select owner, words from private.search_documents where kind = in_kind order by created_at desc, id limit rows_read
    ) as newest
    where words @@ of_kind and owner not in (select unnest(plan.excluded_authors))
      and (words @@ plan.words
      or owner in (select unnest(plan.authors)) and words @@ plan.author_words[array_position(plan.authors, owner)]));
    exit when matches > 100 or matches < 20;
  end loop;
  return matches > 100;
end
$$;

-- What a search in a kind has found: hits, the number of all up to 101 if it was counted, and the position at which the search
-- has stopped, or null if there are no more.
create type private.found_hits as (hits private.search_hit[], total integer, stopped_at private.search_hit);

-- Returns up to `wanted` documents of a kind in one tier, newest first, after a position. Reads a limited number of rows, few at
-- first. If it reads them all without finding enough, `stopped_at` is the last one. Documents with the words in their title come
-- first only up to `window_end`: after it, they are in the last tier, because looking for them first could take many searches.
create function private.walk(
  in_kind text, of_kind tsquery, plan private.search_plan, in_tier integer, after_hit private.search_hit,
  window_end private.search_hit, wanted integer
)
  returns private.found_hits language plpgsql stable set search_path = ''
  set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set max_parallel_workers_per_gather = 0 as $$
declare
  has_checks constant boolean := private.has_checks(plan);
  rows_left integer := private.max_rows_of_search();
  most_rows integer;
  last_row private.search_hit;
  hits private.search_hit[] := '{}'::private.search_hit[];
  has_more boolean;
begin
  for part in 1 .. 3 loop
    most_rows := least((array[500, 2500])[part], rows_left);
    rows_left := rows_left - most_rows;
    last_row := case when in_tier = 1 then window_end else
      private.end_of_window(in_kind, after_hit, most_rows, private.max_bytes_of_search() * (array[1, 2, 5])[part] / 8) end;
    hits := hits || array(
      select row(in_tier, d.created_at, d.id, in_kind)::private.search_hit
      from (
        select created_at, id, owner, words, coalesce(seen, listed) as seen from private.search_documents
        where kind = in_kind and created_at between last_row.created_at and coalesce(after_hit.created_at, 'infinity')
          and (created_at > last_row.created_at or id <= last_row.id)
          and (after_hit.id is null or created_at < after_hit.created_at or (id, in_kind) > (after_hit.id, after_hit.kind))
        order by created_at desc, id offset 0
      ) as d
      where d.words @@ of_kind and not d.words @@ plan.exact_title
        and d.owner not in (select unnest(plan.excluded_authors)) and (d.words @@ plan.words
          or d.owner in (select unnest(plan.authors)) and d.words @@ plan.author_words[array_position(plan.authors, d.owner)])
        and (in_tier = 2 or d.words @@ plan.title_words)
        and (not has_checks or private.passes(plan, d.seen, d.owner))
        and in_tier = case
          when d.created_at < window_end.created_at or d.created_at = window_end.created_at and d.id > window_end.id then 2
          when d.words @@ plan.title_words and (not has_checks or private.title_passes(plan, d.seen)) then 1 else 2 end
      order by d.created_at desc, d.id limit wanted - cardinality(hits));
    has_more := exists (select from private.search_documents d
      where d.kind = in_kind and d.created_at <= last_row.created_at
        and (d.created_at < last_row.created_at or d.id > last_row.id));
    exit when in_tier = 1 or cardinality(hits) = wanted or not has_more or rows_left = 0;
    after_hit := last_row;
  end loop;
  return row(hits, null, case when in_tier = 2 and cardinality(hits) < wanted and has_more
    then row(2, last_row.created_at, last_row.id, in_kind)::private.search_hit end)::private.found_hits;
end
$$;

-- Returns up to `wanted` documents of a kind after a position. `candidates` are what the index has found (see
-- private.find_candidates), or null.
create function private.find_in_kind(
  in_kind text, plan private.search_plan, candidates private.search_hit[], after_hit private.search_hit, wanted integer
)
  returns private.found_hits language plpgsql stable set search_path = '' as $$
declare
  of_kind constant tsquery := private.of_kinds(array[in_kind]);
  most constant integer := private.max_matches_of_search();
  most_titles constant integer := least(most, private.max_rows_of_search());
  counts_all constant boolean := not plan.is_wide and not private.has_checks(plan);
  -- How many hits to look for: enough to count them, if the index can't.
  most_hits constant integer := case when counts_all or after_hit.id is not null then wanted else greatest(wanted, 101) end;
  tier constant integer := coalesce(after_hit.tier, 0);
  hits private.search_hit[] := '{}'::private.search_hit[];
  walked private.found_hits;
  window_end private.search_hit;
begin
  if candidates is not null and private.is_complete(candidates, plan) then
    candidates := private.check_hits(candidates, plan);
    return row(private.first_hits(candidates, after_hit, wanted), least(cardinality(candidates), 101), null)::private.found_hits;
  end if;

  if tier = 0 then
    hits := private.first_hits(private.check_hits(
      (private.ask_words_index(of_kind && plan.exact_title, plan, most))[:most], plan), after_hit, most_hits);
  end if;
  if counts_all and after_hit.id is null and cardinality(hits) < most_hits then
    -- The newest rows often have enough titles. Then there is no need to ask the index.
    walked := private.walk(in_kind, of_kind, plan, 1, null, private.end_of_window(in_kind, null, 500, 4000000),
      most_hits - cardinality(hits));
  end if;
  if cardinality(hits || walked.hits) = most_hits then
    hits := hits || walked.hits;
  else
    if not plan.is_wide then
      candidates := private.ask_words_index(of_kind && plan.title_words && !! plan.exact_title, plan, most_titles);
    end if;
    if plan.is_wide or cardinality(candidates) > most_titles or not private.is_complete(candidates, plan) then
      window_end := private.end_of_window(in_kind, null, private.max_rows_of_search(), private.max_bytes_of_search());
    end if;
    if tier <= 1 and window_end.id is null then
      hits := hits || private.first_hits(array(select row(h.tier, h.created_at, h.id, h.kind)::private.search_hit
        from unnest(private.check_hits(candidates, plan)) as h where h.tier = 1), after_hit, most_hits - cardinality(hits));
    elsif tier <= 1 then
      walked := private.walk(in_kind, of_kind, plan, 1, case when tier = 1 then after_hit end, window_end,
        most_hits - cardinality(hits));
      hits := hits || walked.hits;
    end if;
  end if;
  walked := null;
  if cardinality(hits) < most_hits then
    walked := private.walk(in_kind, of_kind, plan, 2, case when tier = 2 then after_hit end, window_end,
      most_hits - cardinality(hits));
    hits := hits || walked.hits;
  end if;
  return row(hits[:wanted], case when counts_all then 101 when after_hit.id is null then least(cardinality(hits), 101)
      else (private.find_in_kind(in_kind, plan, null, null, 1)).total end,
    case when cardinality(hits) < wanted then walked.stopped_at end)::private.found_hits;
end
$$;

create function private.searched_kinds() returns table (kind text)
  language sql stable set search_path = '' as $$
  select content_table from private.content_kinds union all select 'people' order by 1
$$;

-- Returns what results show of hits, in their order (see public.search_everything). A paragraph separator (U+2029) is between
-- the columns of an excerpt.
create function private.describe_hits(hits private.search_hit[], pattern text) returns json
  language plpgsql stable set search_path = '' as $$
declare
  described json[] := '{}'::json[];
  hit private.search_hit;
  source private.content_kinds;
  found_title text;
  texts text;
  read_texts text;
  owner_id uuid;
  excerpt text[];
  -- Letters outside of ASCII take long to fold, so a page of results reads a limited number of them.
  letters_left integer := 100000;
begin
  foreach hit in array hits loop
    if hit.kind = 'people' then
      select private.name_of(full_name, username), left(bio, 20000), id into found_title, texts, owner_id
      from public.profiles where id = hit.id;
    else
      source := private.find_kind(hit.kind);
      execute format('select title, left(concat_ws(E''\n\u2029\n'', %s), 20000), %I from public.%I where id = $1',
        (select string_agg(format('%I', name), ', ') from unnest(source.searched_columns || '{}'::text[]) as name),
        source.owner_column, hit.kind) into found_title, texts, owner_id using hit.id;
    end if;
    -- Somebody may have deleted it in the meantime.
    continue when owner_id is null;
    select e.letters_left, e.parts into letters_left, excerpt from private.excerpt(texts, pattern, letters_left) as e;
    if cardinality(excerpt) = 1 then
      read_texts := private.as_read(texts);
      if read_texts <> texts then
        select e.letters_left, e.parts into letters_left, excerpt from private.excerpt(read_texts, pattern, letters_left) as e;
      end if;
    end if;
    described := described || (
      select json_build_object('kind', hit.kind, 'id', hit.id, 'created_at', hit.created_at, 'title', found_title,
        'title_parts', private.split_at_hits(normalize(found_title, NFC),
          private.fold_letters(left(normalize(found_title, NFC), 200)), pattern),
        'excerpt', excerpt,
        'author', case when hit.kind <> 'people' then
          json_build_object('id', p.id, 'username', p.username, 'full_name', p.full_name) end,
        'person', case when hit.kind = 'people' then json_build_object('username', p.username, 'avatar_url', p.avatar_url,
          'current_title', p.current_title, 'company', p.company, 'skills', (
            select coalesce(json_agg(json_build_object('category', category, 'name', name, 'proficiency', proficiency)
              order by place), '[]')
            from (
              select *, row_number() over (order by private.fold_accents(name) ~ pattern desc, proficiency desc, name, id) as place
              from public.skills where profile_id = p.id order by place limit 8
            ) as shown)) end)
      from public.profiles p where p.id = owner_id);
  end loop;
  return array_to_json(described);
end
$$;

create function private.cursor_of(hit private.search_hit) returns text
  language sql stable set search_path = '' as $$
  select concat_ws('~', (hit).tier, to_char((hit).created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), (hit).id, (hit).kind)
$$;

-- Finds up to ten documents that have most of a search's words, those with the rarest words first, and the words that no
-- document has. Reads at most 200 documents for each word.
create function private.find_partial(
  terms private.search_term[], plan private.search_plan, in_kind text, out hits private.search_hit[], out unknown text[]
)
  language sql stable set search_path = '' as $$
  with words as materialized (
    select t.term, t.query, private.ask_words_index(t.query && (array_to_string('(!''~names'' | ''~people'')'::text || array(
        select format('!(''~people'' & ''@%s'')', suspended) from unnest(private.suspended_people()) as suspended) || array(
        select '!' || e.words from unnest(terms) as e where e.is_excluded and e.is_exact), ' & '))::tsquery, plan, 199) as hits
    from (
      select case when i.is_exact then i.term end as term,
        array_to_string(i.index_words || array(select format('''@%s''', author) from unnest(i.authors) as author), ' | ')::tsquery
          as query
      from unnest(terms) as i where not i.is_excluded and i.index_words is not null
    ) as t
  ), candidates as (
    select distinct h.created_at, h.id, h.kind from words cross join lateral unnest(words.hits) as h
    where in_kind in ('', h.kind)
  )
  select array(
    select row(2, c.created_at, c.id, c.kind)::private.search_hit
    from candidates c join private.search_documents d on d.kind = c.kind and d.id = c.id
    cross join lateral (
      select count(*) as matched, sum(1.0 / greatest(cardinality(w.hits), 1)) as rarity from words w where d.words @@ w.query
    ) as score
    where (select count(*) from words) > 1
    order by score.matched desc, score.rarity desc, c.created_at desc, c.id limit 10),
  array(select term from words where words.hits = '{}' and term is not null)
$$;

-- Finds the operators of pg_trgm in whatever schema the extension is.
create function private.similar_word(misspelled text) returns text
  language plpgsql stable set search_path = '' as $$
declare
  extension_schema constant text := (select extnamespace::regnamespace from pg_catalog.pg_extension where extname = 'pg_trgm');
  similar_word text;
begin
  execute format($q$
    select word from (
      select word, %1$s.similarity(word, $1) as likeness from private.search_words where word operator(%1$s.%%) $1
      order by likeness desc, word limit 20
    ) as s
    where likeness >= 0.35 and exists (select from private.search_documents where words @@ format('%%L', word)::tsquery)
    order by likeness desc, word limit 1 $q$, extension_schema) into similar_word using misspelled;
  return similar_word;
end
$$;

-- Returns the search with similar words instead of unknown ones, or null.
create function private.suggest(folded text, unknown text[]) returns text
  language plpgsql stable set search_path = '' as $$
declare
  suggested text := folded;
  word text;
begin
  foreach word in array unknown loop
    if char_length(word) between 4 and 40 then
      suggested := replace(suggested, word, coalesce(private.similar_word(word), word));
    end if;
  end loop;
  return nullif(suggested, folded);
end
$$;

create function private.read_term(term text, is_excluded boolean, may_be_prefix boolean) returns private.search_term
  language plpgsql stable set search_path = '' as $$
declare
  words constant text := trim(private.split_words(term));
  last_word constant text := substring(words from '[^ ]+$');
  query constant text := private.words_query(term, '', may_be_prefix);
  result private.search_term;
begin
  result.term := term;
  result.is_excluded := is_excluded;
  result.is_exact := strpos(term, ' ') = 0 and words = term or term ~ ('^' || private.unspaced() || '{1,2}$');
  result.is_wide := coalesce(query ~ ':\*$'
    and (private.is_wide(last_word) or private.is_wide('^' || last_word) or private.is_wide('%' || last_word)), false);
  result.words := '(' || query || ')';
  result.index_words := case when result.is_wide then '(' || private.words_query(term, '', false) || ')' else result.words end;
  result.title_words := private.words_query(term, '^', may_be_prefix);
  result.pattern := private.term_pattern(term, may_be_prefix);
  result.name_words := private.words_query(term, '%', may_be_prefix and not result.is_wide);
  result.authors := private.find_people_named(result.name_words::tsquery, case when not result.is_exact then result.pattern end);
  result.is_name := result.authors <> '{}';
  if not is_excluded then
    result.authors := private.first_authors(result.authors);
  end if;
  return result;
end
$$;

-- Returns the condition that a document has all of these words. If there are none, each document fulfils it, because no
-- document has the word `~`.
create function private.has_all(words text[]) returns tsquery
  language plpgsql immutable set search_path = '' as $$
begin
  return coalesce(nullif(array_to_string(words, ' & '), ''), '!''~''')::tsquery;
end
$$;

create function private.plan_search(search_text text, terms private.search_term[]) returns private.search_plan
  language plpgsql stable set search_path = '' as $$
declare
  excluded constant text[] := array(select '!' || words from unnest(terms) where is_excluded and is_exact);
  with_words private.search_term[];
  for_index private.search_term[];
  -- The authors whose names contain all terms that are names. Of others, a search finds only 100 for each term.
  full_names uuid[];
  plan private.search_plan;
begin
  full_names := private.first_authors(private.find_people_named((
    select string_agg(format('(%s)', name_words), ' & ') from unnest(terms)
    where not is_excluded and is_exact and is_name having count(*) > 1)::tsquery, null));
  with_words := array(
    select row(term, is_excluded, is_exact, is_wide, is_name, words, index_words, title_words, name_words, pattern,
      case when is_exact and is_name then authors || full_names else authors end)::private.search_term
    from unnest(terms) where not is_excluded and words is not null);
  for_index := array(select row(t.*)::private.search_term from unnest(with_words) as t where not is_wide);
  plan.words := private.has_all(array(select words from unnest(with_words)) || excluded);
  -- A title's words are among those of the text.
  plan.title_words := case when with_words = '{}' then '''~'''
    else private.has_all(array(select title_words from unnest(with_words)) || excluded) end;
  plan.exact_title := format('''=%s''', coalesce(private.title_hash(replace(search_text, '"', '')), ''))::tsquery;
  plan.is_wide := cardinality(for_index) < cardinality(with_words);
  select coalesce(array_agg(author), '{}'), coalesce(array_agg(author_words), '{}') into plan.authors, plan.author_words
  from (
    select author, private.has_all(
      array(select words from unnest(with_words) where author <> all (authors)) || excluded) as author_words
    from (select distinct unnest(authors) as author from unnest(with_words)) as a
  ) as named;
  if for_index <> '{}' then
    plan.index_words := private.has_all(array(select words from unnest(for_index)) || excluded);
  end if;
  with named as (
    select author, array(select words from unnest(for_index) where author <> all (authors)) as other_words
    from (select distinct unnest(authors) as author from unnest(for_index)) as a
  )
  select array(select author from named where other_words = '{}'), array(
    select private.has_all(array['(' || string_agg(format('''@%s''', author), ' | ') || ')'] || other_words || excluded)
    from named where other_words <> '{}' group by other_words
    -- The queries with the most results first, because they may be too many.
    order by cardinality(other_words))
  into plan.full_authors, plan.author_queries;
  plan.excluded_authors := array(select unnest(authors) from unnest(terms) where is_excluded);
  select coalesce(array_agg(term), '{}'), coalesce(array_agg(pattern), '{}'), coalesce(array_agg(array_to_string(authors, ' ')), '{}')
  into plan.terms, plan.patterns, plan.owners from unnest(terms) where not is_excluded and not is_exact;
  select coalesce(array_agg(term), '{}'), coalesce(array_agg(pattern), '{}')
  into plan.excluded_terms, plan.excluded_patterns from unnest(terms) where is_excluded and not is_exact;
  return plan;
end
$$;

/*
 * Searches all public content and people (contract, "Searching everything"). Returns one JSON object:
 *
 *   counts      an object with the number of results of each kind, counted up to 101
 *   results     the page of results: exact titles first, then those with all words in their title; the newest first among
 *               equals
 *   next        the cursor of the next page, or null
 *   older       the cursor at which the search has stopped because it has reached its budget, or null
 *   searched    the time to which it has looked back, if it has stopped
 *   partial     if nothing has all words: up to ten results that have most of them, those with the rarest words first
 *   suggestion  if nothing has all words: the search with similar words instead of those that are found nowhere, or null
 *
 * Each result has
 *
 *   kind, id, created_at, title
 *   title_parts  the title as an array of strings. Every second string, starting with the second, is a hit
 *   excerpt  the same for the text around the first hit
 *   author   { id, username, full_name }, or null for a person
 *   person   { username, avatar_url, current_title, company, skills: [{ category, name, proficiency }] } for a person: at most
 *            eight skills, those that match first
 *
 * `search_kind` is the name of a content table, `people`, or empty for everything; counts always cover everything. Without a
 * search, there are no results. Only the first 300 characters and 20 words count.
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
  wanted constant integer := page_size;
  in_kind constant text := coalesce(search_kind, '');
  cursor_parts text[] := regexp_match(page_cursor,
    '^([012])~(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6})~([0-9a-f-]{36})~([a-z_]+)$');
  after_hit private.search_hit;
  terms private.search_term[];
  plan private.search_plan;
  pattern text;
  of_kind text;
  -- The kinds in which the search asks the index, and what it has found.
  rare_kinds text[];
  candidates private.search_hit[];
  counts jsonb := '{}'::jsonb;
  found private.found_hits;
  hits private.search_hit[] := '{}'::private.search_hit[];
  stopped_at private.search_hit;
  last_hit private.search_hit;
  partial private.search_hit[];
  unknown text[];
begin
  perform private.check_page_size(page_size);
  perform private.check_argument(in_kind = '' or in_kind in (select kind from private.searched_kinds()),
    format('search_kind must be one of %s, or empty', (select string_agg(kind, ', ') from private.searched_kinds())));
  begin
    after_hit := row(cursor_parts[1]::integer, (cursor_parts[2] || 'Z')::timestamptz, cursor_parts[3]::uuid, cursor_parts[4]);
  exception when data_exception then
    cursor_parts := null;
  end;
  perform private.check_argument(page_cursor is null or cursor_parts is not null,
    'page_cursor must be next or older of an earlier answer');
  terms := array(
    select private.read_term(t.term, t.is_excluded, t.may_be_prefix) from private.search_terms(text) as t);
  pattern := (select string_agg(t.pattern, '|') from unnest(terms) as t where not t.is_excluded);
  if pattern is null then
    return next json_build_object('counts', (select json_object_agg(kind, 0) from private.searched_kinds()),
      'results', '[]'::json, 'next', null, 'older', null, 'searched', null, 'partial', '[]'::json, 'suggestion', null);
    return;
  end if;
  plan := private.plan_search(text, terms);

  if plan.index_words is not null then
    rare_kinds := array(select k.kind from private.searched_kinds() as k where not private.is_common(k.kind, plan));
    candidates := private.find_candidates(rare_kinds, plan);
  end if;
  for of_kind in select k.kind from private.searched_kinds() as k loop
    found := private.find_in_kind(of_kind, plan,
      case when of_kind = any (rare_kinds) then
        array(select row(c.*)::private.search_hit from unnest(candidates) as c where c.kind = of_kind) end,
      case when in_kind in ('', of_kind) then after_hit end, case when in_kind in ('', of_kind) then wanted + 1 else 1 end);
    counts := counts || jsonb_build_object(of_kind, found.total);
    if in_kind in ('', of_kind) then
      hits := hits || found.hits;
      if (found.stopped_at).id is not null then
        stopped_at := case when stopped_at.id is null then found.stopped_at
          else (private.first_hits(array[found.stopped_at, stopped_at], null, 1))[1] end;
      end if;
    end if;
  end loop;
  if hits = '{}' and page_cursor is null and stopped_at.id is null then
    select p.hits, p.unknown into partial, unknown from private.find_partial(terms, plan, in_kind) as p;
  end if;
  hits := private.first_hits(hits, null, wanted + 1);
  if stopped_at.id is not null then
    -- In kinds that were searched further back, these results come later.
    hits := array(select row(h.tier, h.created_at, h.id, h.kind)::private.search_hit from unnest(hits) as h
      where (h.tier, -extract(epoch from h.created_at), h.id, h.kind)
        <= (stopped_at.tier, -extract(epoch from stopped_at.created_at), stopped_at.id, stopped_at.kind));
  end if;
  if cardinality(hits) > wanted then
    last_hit := hits[wanted];
    stopped_at := null;
  end if;
  return next json_build_object('counts', counts,
    'results', private.describe_hits(hits[:wanted], pattern),
    'next', case when last_hit.id is not null then private.cursor_of(last_hit) end,
    'older', case when stopped_at.id is not null then private.cursor_of(stopped_at) end,
    'searched', stopped_at.created_at,
    'partial', private.describe_hits(coalesce(partial, '{}'), pattern),
    'suggestion', private.suggest(private.fold_accents(text), coalesce(unknown, '{}')));
end
$$;
