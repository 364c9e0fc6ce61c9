-- Results of the search over everything mark hits in titles, and separate the columns of their excerpts.

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

-- unused since 0.1.0
drop function private.excerpt(text, text);
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

-- Returns what results show of hits, in their order (see public.search_everything). A paragraph separator (U+2029) is between
-- the columns of an excerpt.
create or replace function private.describe_hits(hits private.search_hit[], pattern text) returns json
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

revoke execute on function private.excerpt(text, text, integer), private.fold_each_letter(text),
  private.fold_letters(text), private.split_at_hits(text, text, text) from public;
