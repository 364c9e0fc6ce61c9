-- One table for all searches: private.search_documents has a row for each item and each person, with the texts folded for
-- comparison. It replaces a table of folded texts for each kind, the directory's table, and the expression indexes.

-- Takes all locks first. Otherwise, this transaction and a request could wait for each other.
-- In a block, because some clients run the statements of a file without `begin`.
do $$
begin
  lock table public.profiles, public.skills, public.articles, public.useful_links, public.code_samples, private.content_kinds,
    private.people_search, private.search_sources in access exclusive mode;
end
$$;

-- Folding -----------------------------------------------------------------------------------------------------------

-- Removes invisible characters (Unicode's Default_Ignorable_Code_Point, and controls other than white space), and replaces
-- typographic quotes, apostrophes, hyphens and blanks by those of a keyboard.
create function private.fold_marks(content text) returns text
  language plpgsql immutable strict parallel safe set search_path = '' as $$
declare
  invisible constant text := '[\u0001-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5'
    '\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8'
    '\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]';
begin
  if content collate "C" ~ invisible then
    content := regexp_replace(content collate "C", invisible, '', 'g');
  end if;
  if octet_length(content) = char_length(content) or content collate "C" !~
    '[\u00a0\u00ab\u00bb\u02bc\u1680\u2000-\u200a\u2010-\u201f\u202f\u2032\u2033\u205f\u2212\u3000\ufe58\ufe63\uff02\uff07\uff0d]' then
    return content;
  end if;
  return translate(content, E'\u2018\u2019\u201a\u201b\u2032\u02bc\uff07\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\uff02'
      '\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d'
      '\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000',
    repeat('''', 7) || repeat('"', 8) || repeat('-', 10) || repeat(' ', 16));
end
$$;

-- Returns a text in the form in which searches compare it: composed (NFC), in lower case, with one form of sigma.
-- Names its collations, because lower() otherwise depends on the database's locale: in Turkish, 'INDEX' becomes 'ındex'.
create or replace function private.fold_case(content text) returns text
  language plpgsql immutable strict parallel safe set search_path = '' as $$
begin
  -- Most texts are printable ASCII, to which nothing else applies.
  if content collate "C" !~ '[^\u0009-\u000d -~]' then
    return lower(content collate "C");
  end if;
  content := private.fold_marks(content);
  -- In Unicode's rules, lower('İ') has two characters. Readers type one.
  return replace(lower(replace(normalize(content, NFC), 'İ', 'i') collate "und-x-icu"), 'ς', 'σ');
end
$$;

-- Returns a text in the form in which the search over everything compares it: in lower case, and without accents.
-- Reads only the beginning of a text that isn't ASCII: taking characters apart may make it 18 times as long.
create or replace function private.fold_accents(content text) returns text
  language plpgsql immutable strict parallel safe set search_path = '' as $$
begin
  if content collate "C" !~ '[^\u0009-\u000d -~]' then
    return lower(content collate "C");
  end if;
  content := left(normalize(private.fold_marks(left(content, 200000)), NFKD), 500000);
  -- NFC again, because NFKD also takes Korean syllables apart.
  content := lower(normalize(regexp_replace(content, '[\u0300-\u036f]', '', 'g'), NFC) collate "und-x-icu");
  content := replace(replace(replace(content, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe');
  return translate(content, 'øđðłħŧıς', 'oddlhtiσ');
end
$$;

-- Returns the words of a text that private.fold_accents() returned, with one or more spaces between them. In scripts without
-- spaces, each pair of neighbouring characters is a word, and so is the last character.
create or replace function private.split_words(folded text) returns text
  language plpgsql immutable strict parallel safe set search_path = '' as $$
begin
  if octet_length(folded) = char_length(folded) then
    -- Most marks between words are spaces. Replacing them by spaces would double the time.
    folded := regexp_replace(folded collate "C", '[^a-z0-9 ]+', ' ', 'g');
  else
    if folded ~ private.unspaced() then
      folded := regexp_replace(folded, format('(%s{1,2})', private.unspaced()), ' \1 ', 'g') || ' ' ||
        -- The same without the first character of each run.
        regexp_replace(regexp_replace(folded, format('%1$s(%1$s*)', private.unspaced()), ' \1 ', 'g'),
          format('(%s{1,2})', private.unspaced()), ' \1 ', 'g');
    end if;
    folded := regexp_replace(folded collate "und-x-icu", format('[^[:alnum:]%s ]+', trim(private.unspaced(), '[]')), ' ', 'g');
  end if;
  -- An index entry must be short. Longer words, such as encoded data, are found by their beginning.
  if folded ~ '[^ ]{65}' then
    folded := regexp_replace(folded, '([^ ]{64})[^ ]+', '\1', 'g');
  end if;
  return folded;
end
$$;

-- Replaces each run of white space by one space. Lists JavaScript's white space, because `\s` depends on the locale.
create or replace function private.collapse_spaces(content text) returns text
  language plpgsql immutable strict parallel safe set search_path = '' as $$
begin
  return trim(regexp_replace(content, '[\s\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+', ' ', 'g'));
end
$$;

-- Titles that differ only in case, accents and white space have the same hash.
create or replace function private.title_hash(title text) returns text
  language plpgsql immutable strict parallel safe set search_path = '' as $$
begin
  return hashtextextended(private.collapse_spaces(private.fold_accents(title)) collate "C", 0);
end
$$;

-- Returns a line of Markdown as readers see it where programs write it differently: without backslashes that escape, without
-- emphasis inside words, and with the characters of HTML's most frequent entities.
create function private.as_read(line text) returns text
  language plpgsql immutable strict parallel safe set search_path = '' as $$
declare
  entity text;
begin
  line := regexp_replace(line, '\\([!-/:-@\[-`{-~])', '\1', 'g');
  line := regexp_replace(line, '(?<=[[:alnum:]])(\*{1,3}|~~)(?=[[:alnum:]])', '', 'g');
  if strpos(line, '&') > 0 then
    line := regexp_replace(line, '&([a-z])(acute|grave|circ|uml|tilde|cedil|ring|slash|caron);', '\1', 'gi');
    for entity in select distinct m[1] from regexp_matches(left(line, 20000), '&#(\d{1,6}|x[0-9a-f]{1,5});', 'gi') as m limit 50 loop
      declare
        code constant integer := case when entity ~* '^x' then ('x' || lpad(substr(entity, 2), 8, '0'))::bit(32)::integer
          else entity::integer end;
      begin
        if code between 32 and 55295 or code between 57344 and 1114111 then
          line := replace(line, '&#' || entity || ';', chr(code));
        end if;
      end;
    end loop;
    line := replace(replace(replace(replace(line, '&lt;', '<'), '&gt;', '>'), '&quot;', '"'), '&nbsp;', ' ');
    line := replace(replace(replace(replace(line, '&szlig;', 'ss'), '&aelig;', 'ae'), '&ndash;', '-'), '&mdash;', '-');
    line := replace(replace(replace(replace(line, '&apos;', ''''), '&rsquo;', ''''), '&lsquo;', ''''), '&hellip;', '...');
    line := replace(replace(replace(replace(line, '&ldquo;', '"'), '&rdquo;', '"'), '&euro;', '€'), '&amp;', '&');
  end if;
  return line;
end
$$;

-- The table ---------------------------------------------------------------------------------------------------------

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

-- Rebuilds everything that triggers keep up to date. A restore calls this, because it loads rows without triggers.
create or replace function private.rebuild_derived() returns void
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.measure_storage();
  delete from private.search_documents;
  insert into private.search_backlog
  select content_table, timestamptz 'infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid from private.content_kinds
  union all select 'people', 'infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff'
  on conflict (kind) do update set created_at = excluded.created_at, id = excluded.id;
  while public.fill_search(5000) > 0 loop
  end loop;
end
$$;

/*
 * Makes a table a kind of content: creates its policies, grants, triggers and indexes, and adds it to the searches, the
 * directory and the versions. The table has the columns id (uuid, primary key), the owner's (`profile_id` or `author_id`),
 * title and created_at, and may have updated_at and published. `listed_columns` are the columns that the search of its list
 * covers (specification §5). `searched_columns` are those that the search over everything covers besides the title; by
 * default, it covers the same as the list's search.
 */
create or replace function private.add_content_kind(
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

-- Terms -------------------------------------------------------------------------------------------------------------

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
create or replace function private.search_terms(search_text text)
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

-- The lists' search ---------------------------------------------------------------------------------------------------

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
create or replace function public.search_content(
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

-- The directory of people -----------------------------------------------------------------------------------------------

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
create or replace function public.search_people(
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

-- The search over everything --------------------------------------------------------------------------------------------

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

-- Returns what results show of hits, in their order (see public.search_everything).
create function private.describe_hits(hits private.search_hit[], pattern text) returns json
  language plpgsql stable set search_path = '' as $$
declare
  described json[] := '{}'::json[];
  hit private.search_hit;
  source private.content_kinds;
  found_title text;
  texts text;
  owner_id uuid;
  excerpt text[];
begin
  foreach hit in array hits loop
    if hit.kind = 'people' then
      select private.name_of(full_name, username), left(bio, 20000), id into found_title, texts, owner_id
      from public.profiles where id = hit.id;
    else
      source := private.find_kind(hit.kind);
      execute format('select title, left(concat_ws(E''\n'', %s), 20000), %I from public.%I where id = $1',
        (select string_agg(format('%I', name), ', ') from unnest(source.searched_columns || '{}'::text[]) as name),
        source.owner_column, hit.kind) into found_title, texts, owner_id using hit.id;
    end if;
    -- Somebody may have deleted it in the meantime.
    continue when owner_id is null;
    excerpt := private.excerpt(texts, pattern);
    if cardinality(excerpt) = 1 and private.as_read(texts) <> texts then
      excerpt := private.excerpt(private.as_read(texts), pattern);
    end if;
    described := described || (
      select json_build_object('kind', hit.kind, 'id', hit.id, 'created_at', hit.created_at, 'title', found_title,
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
create or replace function public.search_everything(
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

-- Filling the table ---------------------------------------------------------------------------------------------------

-- unused since 0.1.0
alter table private.content_kinds drop column listed_text;

do $$
declare
  kind text;
begin
  -- Without the old indexes and triggers, which this release doesn't need. The functions that 0.1.0 calls stay.
  foreach kind in array array(select content_table from private.content_kinds) loop
    execute format('drop trigger store_listed_text_of_inserts on public.%1$I; drop trigger store_listed_text_of_updates on public.%1$I;
      drop index public.%2$I;', kind, kind || '_words_idx');
    perform private.create_index_function(kind);
    perform private.add_search_triggers(format('public.%I', kind)::regclass, 'index_' || kind);
    execute format('drop ' || 'table private.%I', kind || '_text');
  end loop;
end
$$;
drop trigger refresh_people_of_inserts on public.profiles;
drop trigger refresh_people_of_updates on public.profiles;
drop trigger refresh_people_of_inserts on public.skills;
drop trigger refresh_people_of_updates on public.skills;
drop trigger refresh_people_of_deletes on public.skills;
drop index public.profiles_search_idx;
select private.add_search_triggers('public.profiles', 'index_changed_people');
select private.add_search_triggers('public.skills', 'index_changed_people');

-- No release uses these except through the functions that this migration replaces.
-- unused since 0.1.0
drop table private.people_search, private.search_sources cascade;
-- unused since 0.1.0
drop function private.refresh_people, private.refresh_people_search, private.store_listed_texts, private.add_search_source(
  text, text, text, text, text, text, text, text), private.contains_term, private.vector_condition, private.not_among,
  private.all_of, private.run_with_bitmaps, private.search_vector, private.is_long, private.find_long_texts;

insert into private.search_backlog
select content_table, timestamptz 'infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid from private.content_kinds
union all select 'people', 'infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff';
revoke execute on function private.fold_marks(text), private.as_read(text), private.is_listed_document(public.profiles), private.suspended_people(),
  private.document_words(text, uuid, boolean, text, text), private.resample(),
  private.seen_text(text, text, text), private.store_documents(private.document_texts[], boolean),
  private.documents_query(text, text), private.index_people(uuid[], boolean), private.index_changed_people(),
  private.make_document(private.document_texts), private.add_search_triggers(regclass, text), private.create_index_function(text),
  public.fill_search(integer), private.add_searched_column(text, text), private.bare_word(text), private.bare_words(text),
  private.max_rows_of_search(), private.max_bytes_of_search(),
  private.check_argument(boolean, text), private.check_page_size(integer), private.check_content_table(text),
  private.max_matches_of_search(), private.ask_listed_index(text, text, uuid[]), private.ask_owner_index(text, uuid[]),
  private.find_authors(text),
  public.search_items(text, text, text, boolean, timestamptz, uuid, boolean, integer, integer),
  private.count_public_items(uuid), private.has_checks(private.search_plan),
  private.passes(private.search_plan, text, uuid), private.title_passes(private.search_plan, text),
  private.is_complete(private.search_hit[], private.search_plan), private.is_common(text, private.search_plan),
  private.ask_words_index(tsquery, private.search_plan, integer), private.ask_for_rare_words(tsquery, tsquery, private.search_plan),
  private.ask_for_all_words(tsquery, private.search_plan, integer), private.find_people_named(tsquery, text),
  private.first_authors(uuid[]), private.of_kinds(text[]), private.find_items_of_authors(text[], private.search_plan, integer),
  private.find_candidates(text[], private.search_plan, integer),
  private.read_term(text, boolean, boolean), private.has_all(text[]), private.plan_search(text, private.search_term[]),
  private.first_hits(private.search_hit[], private.search_hit, integer),
  private.walk(text, tsquery, private.search_plan, integer, private.search_hit, private.search_hit, integer),
  private.is_wide(text), private.check_hits(private.search_hit[], private.search_plan),
  private.end_of_window(text, private.search_hit, integer, bigint),
  private.find_in_kind(text, private.search_plan, private.search_hit[], private.search_hit, integer), private.searched_kinds(),
  private.describe_hits(private.search_hit[], text), private.cursor_of(private.search_hit),
  private.find_partial(private.search_term[], private.search_plan, text), private.similar_word(text),
  private.suggest(text, text[]) from public;
revoke execute on function public.fill_search(integer),
  public.search_items(text, text, text, boolean, timestamptz, uuid, boolean, integer, integer) from anon, authenticated;
grant execute on function public.search_items(text, text, text, boolean, timestamptz, uuid, boolean, integer, integer)
  to anon, authenticated, service_role;
grant execute on function public.fill_search(integer) to service_role;
