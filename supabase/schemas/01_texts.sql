-- How texts are checked and compared. base.sql creates what Supabase itself provides.

-- Some projects already have this extension in another schema. Indexes below find it wherever it is.
create extension if not exists pg_trgm with schema extensions;

-- The API does not expose this schema. Clients may call only its functions that checks, indexes and searches use.
create schema if not exists private;
revoke all on schema private from public;
grant usage on schema private to anon, authenticated, service_role;

-- Whether a text has a visible character: neither white space nor a control character, nor one that Unicode lets programs
-- ignore (Default_Ignorable_Code_Point), such as a zero-width space. hasText (common/data/has-text.ts) is the same rule.
create function private.has_text(content text) returns boolean
  language sql immutable strict parallel safe set search_path = '' as $$
  select content collate "C" ~ ('[^\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f'
    '\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8'
    '\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]')
$$;

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
create function private.fold_case(content text) returns text
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

-- Replaces each run of white space by one space. Lists JavaScript's white space, because `\s` depends on the locale.
create function private.collapse_spaces(content text) returns text
  language plpgsql immutable strict parallel safe set search_path = '' as $$
begin
  return trim(regexp_replace(content, '[\s\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+', ' ', 'g'));
end
$$;

-- A person's name: the full name, or the username if that is blank, or null. storedName (common/data/author.ts) is the same rule.
create function private.name_of(full_name text, username text) returns text
  language sql immutable parallel safe set search_path = '' as $$
  select private.collapse_spaces(case
    when private.has_text(full_name) then full_name when private.has_text(username) then username end)
$$;

-- Returns a text in the form in which the search over everything compares it: in lower case, and without accents.
-- Reads only the beginning of a text that isn't ASCII: taking characters apart may make it 18 times as long.
create function private.fold_accents(content text) returns text
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

-- Regular expressions for a character of a script without spaces (Chinese, Japanese, Korean, Thai, Lao, Burmese, Khmer), and
-- for a letter or digit of another script.
create function private.unspaced() returns text
  language sql immutable parallel safe set search_path = '' as $$
  select '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]'
$$;
create function private.letter() returns text
  language sql immutable parallel safe set search_path = '' as $$
  select '[a-z0-9\u00c0-\u0dff\u10a0-\u177f\u1e00-\u1fff]'
$$;

-- Returns the words of a text that private.fold_accents() returned, with one or more spaces between them. In scripts without
-- spaces, each pair of neighbouring characters is a word, and so is the last character.
create function private.split_words(folded text) returns text
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

-- Titles that differ only in case, accents and white space have the same hash.
create function private.title_hash(title text) returns text
  language plpgsql immutable strict parallel safe set search_path = '' as $$
begin
  return hashtextextended(private.collapse_spaces(private.fold_accents(title)) collate "C", 0);
end
$$;

-- Removes the white space of JavaScript from both ends. `\s` would depend on the locale.
create function private.trim_spaces(content text) returns text
  language sql immutable strict parallel safe set search_path = '' as $$
  select btrim(content, E'\t\n\u000b\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a'
    '\u2028\u2029\u202f\u205f\u3000\ufeff')
$$;

-- Returns a pattern for `like` that matches texts that contain the given one.
create function private.containing(content text) returns text
  language sql immutable strict parallel safe set search_path = '' as $$
  select '%' || regexp_replace(content, '([\\%_])', '\\\1', 'g') || '%'
$$;
