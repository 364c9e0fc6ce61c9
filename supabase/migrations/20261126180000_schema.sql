-- The schema: five tables (specification §3), who may read and write them (docs/access-rules.md), what one member may store
-- (contract, "Limits"), earlier versions, searches, pictures and the operators' log.
-- It runs on PostgreSQL 15 to 18 and on hosted Supabase. server/postgres/base.sql creates what Supabase itself provides.
--
-- A kind of content is a table with an id, an owner, a title and `created_at`. private.add_content_kind() creates
-- everything else that it needs.

-- Some projects already have this extension in another schema. Indexes below find it wherever it is.
create extension if not exists pg_trgm with schema extensions;

-- The API does not expose this schema. Clients may call only its functions that checks, indexes and searches use.
create schema if not exists private;
revoke all on schema private from public;
grant usage on schema private to anon, authenticated, service_role;

-- Texts -------------------------------------------------------------------------------------------------------------

-- Whether a text has a visible character: neither white space nor a control character, nor one that Unicode lets programs
-- ignore (Default_Ignorable_Code_Point), such as a zero-width space. hasText (common/data/has-text.ts) is the same rule.
create function private.has_text(content text) returns boolean
  language sql immutable strict parallel safe
  return content collate "C" ~ ('[^\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f'
    '\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8'
    '\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]');

-- Returns a text in the form in which searches compare it: composed (NFC), in lower case, with one form of sigma.
-- Names its collations, because lower() otherwise depends on the database's locale: in Turkish, 'INDEX' becomes 'ındex'.
-- Skips the normalization of ASCII text, which is composed already, because it would take ten times as long.
create function private.fold_case(content text) returns text
  language plpgsql immutable strict parallel safe set search_path = '' as $$
begin
  if octet_length(content) = char_length(content) then
    return lower(content collate "C");
  end if;
  -- In Unicode's rules, lower('İ') has two characters. Readers type one.
  return replace(lower(replace(normalize(content, NFC), 'İ', 'i') collate "und-x-icu"), 'ς', 'σ');
end
$$;

-- Replaces each run of white space by one space. Lists JavaScript's white space, because `\s` depends on the locale.
create function private.collapse_spaces(content text) returns text
  language sql immutable strict parallel safe set search_path = '' as $$
  select trim(regexp_replace(content, '[\s\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+', ' ', 'g'))
$$;

-- A person's name: the full name, or the username if that is blank, or null. nameOf (common/data/author.ts) is the same rule.
create function private.name_of(full_name text, username text) returns text
  language sql immutable parallel safe set search_path = '' as $$
  select private.collapse_spaces(case
    when private.has_text(full_name) then full_name when private.has_text(username) then username end)
$$;

-- Returns a text in the form in which the search over everything compares it: in lower case, and without accents.
create function private.fold_accents(content text) returns text
  language plpgsql immutable strict parallel safe set search_path = '' as $$
begin
  if octet_length(content) = char_length(content) then
    return lower(content collate "C");
  end if;
  -- NFC again, because NFKD also takes Korean syllables apart.
  content := lower(normalize(regexp_replace(normalize(content, NFKD), '[\u0300-\u036f]', '', 'g'), NFC) collate "und-x-icu");
  content := replace(replace(replace(content, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe');
  return translate(content, 'øđðłħŧıς', 'oddlhtiσ');
end
$$;

-- Regular expressions for a character of a script without spaces (Chinese, Japanese, Korean, Thai, Lao, Burmese, Khmer), and
-- for a letter or digit of another script.
create function private.unspaced() returns text language sql immutable parallel safe
  return '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]';
create function private.letter() returns text language sql immutable parallel safe
  return '[a-z0-9\u00c0-\u0dff\u10a0-\u177f\u1e00-\u1fff]';

-- Returns the words of a text that private.fold_accents() returned, separated by spaces. In scripts without spaces, each pair
-- of neighbouring characters is a word, and so is the last character.
create function private.split_words(folded text) returns text
  language plpgsql immutable strict parallel safe set search_path = '' as $$
begin
  if octet_length(folded) = char_length(folded) then
    folded := regexp_replace(folded collate "C", '[^a-z0-9]+', ' ', 'g');
  else
    if folded ~ private.unspaced() then
      folded := regexp_replace(folded, format('(%s{1,2})', private.unspaced()), ' \1 ', 'g') || ' ' ||
        -- The same without the first character of each run.
        regexp_replace(regexp_replace(folded, format('%1$s(%1$s*)', private.unspaced()), ' \1 ', 'g'),
          format('(%s{1,2})', private.unspaced()), ' \1 ', 'g');
    end if;
    folded := regexp_replace(folded collate "und-x-icu", format('[^[:alnum:]%s]+', trim(private.unspaced(), '[]')), ' ', 'g');
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
  language sql immutable strict parallel safe set search_path = '' as $$
  select hashtextextended(private.collapse_spaces(private.fold_accents(title)) collate "C", 0)::text
$$;

/*
 * Returns what the index for the search over everything contains of an item: the words of its title and its other texts, the
 * words of the title once more with the prefix `^`, and a hash of the title with the prefix `=`. GIN indexes don't store
 * weights, so these prefixes let a search find titles without reading all texts. The cost makes the planner use the index
 * instead of evaluating this for every row.
 */
create function private.search_vector(title text, title_words text, texts text) returns tsvector
  language plpgsql immutable parallel safe cost 100000 set search_path = '' as $$
declare
  folded_title constant text := ' ' || private.split_words(private.fold_accents(title_words)) || ' ';
  words constant text[] := array_remove(string_to_array(
    folded_title || replace(folded_title, ' ', ' ^') || ' =' || coalesce(private.title_hash(title), '')
    || ' ' || private.split_words(private.fold_accents(
      -- In these scripts, half a million characters would take seconds.
      case when texts ~ private.unspaced() then left(texts, 100000) else texts end)), ' '), '');
begin
  -- A tsvector can contain 1 MB. Only texts of several hundred thousand characters have so many different words.
  if cardinality(words) < 100000 then
    return array_to_tsvector(words);
  end if;
  return array_to_tsvector(array(
    select word from (
      select word, sum(octet_length(word)) over (order by word) as bytes
      from (select distinct word from unnest(words) as word) as distinct_words
    ) as counted where bytes < 1000000));
end
$$;

create function private.trim_spaces(content text) returns text
  language sql immutable strict parallel safe set search_path = '' as $$
  select regexp_replace(content, '^\s+|\s+$', '', 'g')
$$;

-- Returns a pattern for `like` that matches texts that contain the given one.
create function private.containing(content text) returns text
  language sql immutable strict parallel safe
  return '%' || regexp_replace(content, '([\\%_])', '\\\1', 'g') || '%';

-- Limits (contract) -------------------------------------------------------------------------------------------------

create domain public.short_text as text check (char_length(value) <= 1000);
create domain public.skill_name as text check (char_length(value) <= 100);
create domain public.description as text check (char_length(value) <= 20000);
create domain public.long_text as text check (char_length(value) <= 500000);
create domain public.years as integer check (value between 0 and 80);

-- Addresses follow the rule for Markdown (specification §2, react-markdown's defaultUrlTransform): they are relative, with
-- no colon before the first '/', '?' or '#', or have one of six schemes.
create domain public.web_address as text
  check (char_length(value) <= 4000)
  constraint web_address_scheme_check
    check (value collate "C" ~* '^([^:/?#]*([/?#]|$)|(https?|ircs?|mailto|xmpp):)');

create function private.max_bytes_of_rows() returns bigint language sql immutable return 100 * 1024 * 1024;
create function private.max_bytes_of_versions() returns bigint language sql immutable return 100 * 1024 * 1024;
create function private.max_skills() returns integer language sql immutable return 200;
-- Each row counts at least this much, because small rows also take space in indexes.
create function private.min_bytes_of_row() returns integer language sql immutable return 1000;

-- Tables ------------------------------------------------------------------------------------------------------------

create table public.profiles (
  id uuid primary key default gen_random_uuid() references auth.users (id) on delete cascade,
  username public.short_text,
  full_name public.short_text,
  bio public.description,
  avatar_url public.web_address,
  current_title public.short_text,
  company public.short_text,
  years_experience public.years,
  featured boolean not null default false,
  linkedin_url public.web_address,
  -- A one-dimensional array without nulls, with the length of a description when separated by commas, as in forms. `case`
  -- checks the dimensions first, because array_position raises an error for multidimensional arrays.
  featured_skills text[] not null default '{}' check (
    case when array_ndims(featured_skills) > 1 then false
    else array_position(featured_skills, null) is null
      and char_length(array_to_string(featured_skills, ',')) <= 20000 end
  ),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- When the profile took its username. If several profiles have the same one, the earliest gets the address (contract).
  username_since timestamptz not null default now()
);

create table public.skills (
  id uuid primary key default gen_random_uuid(),
  profile_id uuid not null references public.profiles (id) on delete cascade,
  category text not null default 'python' check (category in ('python', 'sql', 'aws', 'tools')),
  name public.skill_name not null,
  proficiency integer not null default 3 check (proficiency between 1 and 5),
  years_experience public.years not null default 1,
  created_at timestamptz not null default now()
);

create table public.articles (
  id uuid primary key default gen_random_uuid(),
  author_id uuid not null references public.profiles (id) on delete cascade,
  title public.short_text not null check (private.has_text(title)),
  content public.long_text not null check (private.has_text(content)),
  published boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table public.useful_links (
  id uuid primary key default gen_random_uuid(),
  profile_id uuid not null references public.profiles (id) on delete cascade,
  title public.short_text not null check (private.has_text(title)),
  url public.web_address not null check (private.has_text(url)),
  description public.description,
  category public.short_text not null check (private.has_text(category)),
  created_at timestamptz not null default now()
);

create table public.code_samples (
  id uuid primary key default gen_random_uuid(),
  profile_id uuid not null references public.profiles (id) on delete cascade,
  title public.short_text not null check (private.has_text(title)),
  description public.description,
  code_content public.long_text not null check (private.has_text(code_content)),
  language text not null
    check (language in ('python', 'sql', 'javascript', 'typescript', 'bash', 'yaml')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- Previous versions of changed and deleted items (contract, "Nothing is lost"). A version belongs to an owner, a table and
-- an id. Only triggers write them.
create table public.versions (
  id uuid primary key default gen_random_uuid(),
  profile_id uuid not null references public.profiles (id) on delete cascade,
  item_table text not null,
  item_id uuid not null,
  title text not null,
  item jsonb not null,
  is_deletion boolean not null,
  -- In bytes, at least private.min_bytes_of_row().
  size integer not null,
  replaced_at timestamptz not null default clock_timestamp()
);

-- What operators did, on the page and with commands. Kept for a year.
create table public.operator_log (
  id uuid primary key default gen_random_uuid(),
  created_at timestamptz not null default now(),
  -- The operator's account, or null for a command. Not a foreign key, because entries outlive accounts.
  operator_id uuid,
  -- The operator's email address, or the command's name.
  operator text not null,
  -- Such as 'suspend' or 'remove'.
  action text not null,
  -- The member's email address, or the title of an item.
  target text,
  details jsonb not null default '{}'
);

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

-- The bytes that a member's rows and versions take. Triggers keep them up to date.
create table private.storage_use (
  profile_id uuid primary key references public.profiles (id) on delete cascade,
  row_bytes bigint not null default 0,
  version_bytes bigint not null default 0
);

revoke all on private.content_kinds, private.search_sources, private.storage_use
  from public, anon, authenticated, service_role;

-- Indexes -----------------------------------------------------------------------------------------------------------

-- For featured professionals (specification §7, call 5) and one person's skills (calls 6 and 10).
create index profiles_featured_idx on public.profiles (years_experience desc nulls last, id) where featured;
create index skills_profile_id_idx on public.skills (profile_id, proficiency desc);
-- For lookups by username. A hash index, because 1,000 characters may not fit into a B-tree.
create index profiles_username_idx on public.profiles using hash (username);
create index versions_item_idx on public.versions (item_id, profile_id, item_table, replaced_at desc);
create index versions_profile_id_idx on public.versions (profile_id, replaced_at desc);
create index versions_replaced_at_idx on public.versions (replaced_at);
create index operator_log_created_at_idx on public.operator_log (created_at desc, id);

-- Triggers for every table with an owner ----------------------------------------------------------------------------

-- Clients cannot call trigger functions: PostgreSQL runs them without a grant.

-- For members, keeps a row's id, owner and creation time. An upsert sends these columns back (specification §7, call 16),
-- so changes to them are undone instead of rejected. The argument is the owner's column.
create function private.keep_identity() returns trigger language plpgsql set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    -- An item from the future would stay at the top of its list. JavaScript cannot show dates before the year 1.
    new.created_at := greatest(least(new.created_at, now()), '0001-01-01 00:00:00+00');
    return new;
  end if;
  new.id := old.id;
  new.created_at := old.created_at;
  if tg_argv[0] = 'author_id' then
    new.author_id := old.author_id;
  elsif tg_argv[0] = 'profile_id' then
    new.profile_id := old.profile_id;
  end if;
  return new;
end
$$;

create function private.set_updated_at() returns trigger language plpgsql set search_path = '' as $$
begin
  new.updated_at := now();
  return new;
end
$$;

-- What a member stores is counted in private.storage_use. A statement's triggers add up how it changes that in the setting
-- `private.growth`, which ends with the transaction: owner, bytes of rows, bytes of versions. `settle_storage`, the last
-- trigger of the statement, then updates private.storage_use once: 50,000 updates of one row would take minutes.
create function private.add_growth(owner uuid, row_bytes bigint, version_bytes bigint) returns void
  language plpgsql set search_path = '' as $$
declare
  pending text[] := string_to_array(nullif(current_setting('private.growth', true), ''), ' ');
begin
  if pending[1] <> owner::text then
    perform private.settle_growth();
    pending := null;
  end if;
  perform set_config('private.growth', concat_ws(' ', owner,
    row_bytes + coalesce(pending[2]::bigint, 0), version_bytes + coalesce(pending[3]::bigint, 0)), true);
end
$$;

-- Adds the pending growth to the owner's use, and enforces the limits. The update makes other transactions that change what
-- this member stores wait, so that two of them cannot exceed a limit together.
create function private.settle_growth() returns void
  language plpgsql set search_path = '' as $$
declare
  pending constant text[] := string_to_array(nullif(current_setting('private.growth', true), ''), ' ');
  used private.storage_use;
begin
  if pending is null then
    return;
  end if;
  perform set_config('private.growth', '', true);
  update private.storage_use as u
  set row_bytes = u.row_bytes + pending[2]::bigint, version_bytes = u.version_bytes + pending[3]::bigint
  where u.profile_id = pending[1]::uuid
  returning u.* into used;
  if not found then
    perform private.measure_storage(pending[1]::uuid);
    select * into used from private.storage_use where profile_id = pending[1]::uuid;
  end if;

  if used.version_bytes > private.max_bytes_of_versions() then
    perform private.remove_versions(used.profile_id, used.version_bytes - private.max_bytes_of_versions());
    perform private.settle_growth();
  end if;
  if pending[2]::bigint > 0 and used.row_bytes > private.max_bytes_of_rows()
    and current_setting('role', true) = 'authenticated' then
    raise exception 'A member''s content can take up at most % MB', private.max_bytes_of_rows() / 1024 / 1024
      using errcode = 'PT413';
  end if;
end
$$;

create function private.settle_storage() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.settle_growth();
  return null;
end
$$;

-- For skills. Runs after `settle_storage`, so that it also sees the rows of other transactions for which that one has waited.
create function private.limit_skills() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if current_setting('role', true) = 'authenticated'
    and (select count(*) from public.skills where profile_id = auth.uid()) > private.max_skills() then
    raise exception 'A member can have at most % skills', private.max_skills() using errcode = 'PT413';
  end if;
  return null;
end
$$;

-- Measures what one member, or every member, stores: before a member's first change, and after a restore.
create function private.measure_storage(only_owner uuid default null) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  counted text;
begin
  select string_agg(format('select private.owner_of(t) as owner, private.size_of(t) as row_bytes, 0 as version_bytes
    from %s t where $1 is null or private.owner_of(t) = $1', proargtypes[0]::regtype), ' union all ') into counted
  from pg_catalog.pg_proc where proname = 'size_of' and pronamespace = 'private'::regnamespace;
  execute format($q$
    insert into private.storage_use (profile_id, row_bytes, version_bytes)
    select p.id, sum(counted.row_bytes), sum(counted.version_bytes)
    from public.profiles p join (
      %s union all select profile_id, 0, size from public.versions where $1 is null or profile_id = $1
    ) as counted on counted.owner = p.id
    group by p.id
    on conflict (profile_id) do update set row_bytes = excluded.row_bytes, version_bytes = excluded.version_bytes $q$,
    counted) using only_owner;
end
$$;

/*
 * Creates what every table with an owner needs: row-level security with policies and grants, and the triggers for identity,
 * times and limits. Members can write their own rows, and everyone can read all of them.
 */
create function private.add_owned_table(owned_table text, owner_column text) returns void
  language plpgsql set search_path = '' as $$
declare
  texts constant text := (
    select string_agg(format('coalesce(octet_length(item.%I%s), 0)', attname,
      case when atttypid = 'text[]'::regtype then '::text' else '' end), ' + ' order by attnum)
    from pg_catalog.pg_attribute a join pg_catalog.pg_type t on t.oid = a.atttypid
    where attrelid = format('public.%I', owned_table)::regclass and attnum > 0 and not attisdropped
      and (atttypid = 'text[]'::regtype or t.typcategory = 'S'));
  has_updated_at constant boolean := exists (
    select from pg_catalog.pg_attribute
    where attrelid = format('public.%I', owned_table)::regclass and attname = 'updated_at' and not attisdropped);
  own constant text := format('%I = (select auth.uid())', owner_column);
begin
  -- One function per table, because a function for all tables would have to plan its statements for each save.
  execute format($q$
    create function private.size_of(item public.%1$I) returns bigint language sql stable
      return greatest(%3$s, private.min_bytes_of_row());
    create function private.owner_of(item public.%1$I) returns uuid language sql stable return item.%2$I;
    create function private.%4$I() returns trigger language plpgsql security definer set search_path = '' as $f$
      declare
        owner uuid;
        bytes bigint;
      begin
        if tg_op <> 'DELETE' then
          for owner, bytes in select n.%2$I, sum(private.size_of(n::public.%1$I)) from new_rows n group by 1 loop
            perform private.add_growth(owner, bytes, 0);
          end loop;
        end if;
        if tg_op <> 'INSERT' then
          for owner, bytes in select o.%2$I, sum(private.size_of(o::public.%1$I)) from old_rows o group by 1 loop
            perform private.add_growth(owner, -bytes, 0);
          end loop;
        end if;
        perform private.settle_growth();
        return null;
      end $f$;
    revoke execute on function private.size_of(public.%1$I), private.owner_of(public.%1$I), private.%4$I() from public;
    create trigger settle_storage_of_inserts after insert on public.%1$I
      referencing new table as new_rows for each statement execute function private.%4$I();
    create trigger settle_storage_of_updates after update on public.%1$I
      referencing old table as old_rows new table as new_rows for each statement execute function private.%4$I();
    create trigger settle_storage_of_deletes after delete on public.%1$I
      referencing old table as old_rows for each statement execute function private.%4$I();
  $q$, owned_table, owner_column, texts, 'settle_' || owned_table);

  -- Hosted projects differ in what they grant on new tables, so everything is revoked first.
  -- `force` applies row-level security to the table's owner too.
  -- A subselect evaluates auth.uid() once per statement.
  execute format($q$
    revoke all on public.%1$I from public, anon, authenticated, service_role;
    grant select on public.%1$I to anon, authenticated;
    grant insert, update, delete on public.%1$I to authenticated;
    grant select, insert, update, delete on public.%1$I to service_role;
    alter table public.%1$I enable row level security, force row level security;
    create policy %2$I on public.%1$I for select to anon using (true);
    create policy %3$I on public.%1$I for select to authenticated using (true);
    create policy %4$I on public.%1$I for insert to authenticated with check (%7$s);
    create policy %5$I on public.%1$I for update to authenticated using (%7$s) with check (%7$s);
    create policy %6$I on public.%1$I for delete to authenticated using (%7$s);
  $q$, owned_table, owned_table || '_select_anon', owned_table || '_select_member', owned_table || '_insert_own',
    owned_table || '_update_own', owned_table || '_delete_own', own);
  -- For databases in which service_role has no `bypassrls` because the site's login was not allowed to grant it (base.sql).
  -- The table's owner is a member of service_role, so these policies also let an owner without superuser rights maintain it.
  execute format($q$
    create policy %2$I on public.%1$I for select to service_role using (true);
    create policy %3$I on public.%1$I for insert to service_role with check (true);
    create policy %4$I on public.%1$I for update to service_role using (true) with check (true);
    create policy %5$I on public.%1$I for delete to service_role using (true);
  $q$, owned_table, owned_table || '_select_service', owned_table || '_insert_service', owned_table || '_update_service',
    owned_table || '_delete_service');

  execute format($q$
    create trigger keep_identity before insert or update on public.%1$I
      for each row when (current_user <> 'service_role') execute function private.keep_identity(%2$L);
  $q$, owned_table, owner_column);
  if has_updated_at then
    execute format('create trigger set_updated_at before insert or update on public.%I
      for each row execute function private.set_updated_at()', owned_table);
  end if;
end
$$;

-- Versions ----------------------------------------------------------------------------------------------------------

-- Row-level security ensures that the rows belong to the member. Operators' statements, and the cascade from a removed
-- account, keep no version, and remove the versions of rows that they take from their owner. The argument is the owner's
-- column.

-- Runs for each row, because transition tables make a save of 2 kB more than 1.3 times as expensive as one without versions.
create function private.keep_changed_version() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  versions_per_item constant integer := 50;
  owner constant uuid := private.owner_of(old);
  previous jsonb;
  excess uuid[];
begin
  if current_setting('role', true) is distinct from 'authenticated' then
    if private.owner_of(new) <> owner or new.id <> old.id then
      delete from public.versions where item_id = old.id and profile_id = owner and item_table = tg_table_name;
    end if;
    return null;
  end if;

  previous := to_jsonb(old);
  if previous - 'updated_at' = to_jsonb(new) - 'updated_at' then
    return null;
  end if;
  insert into public.versions (profile_id, item_table, item_id, title, item, is_deletion, size)
  values (owner, tg_table_name, old.id, old.title, previous, false,
    greatest(pg_column_size(previous), private.min_bytes_of_row()));

  excess := array(select id from public.versions where item_id = old.id and profile_id = owner and item_table = tg_table_name
    order by replaced_at desc offset versions_per_item);
  if excess <> '{}' then
    delete from public.versions where id = any (excess);
  end if;
  return null;
end
$$;

-- Runs once per statement, so that a member can delete 50,000 rows in one.
create function private.keep_deleted_versions() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  versions_per_item constant integer := 50;
begin
  if current_setting('role', true) is distinct from 'authenticated' then
    delete from public.versions v using (select to_jsonb(o) as item from old_rows o) as deleted
    where v.item_id = (deleted.item ->> 'id')::uuid and v.item_table = tg_table_name
      and v.profile_id = (deleted.item ->> tg_argv[0])::uuid;
    return null;
  end if;

  insert into public.versions (profile_id, item_table, item_id, title, item, is_deletion, size)
  select (item ->> tg_argv[0])::uuid, tg_table_name, (item ->> 'id')::uuid, item ->> 'title', item, true,
    greatest(pg_column_size(item), private.min_bytes_of_row())
  -- `offset 0` stops the planner from building each row's JSON for every column.
  from (select to_jsonb(o) as item from old_rows o offset 0) as deleted;
  delete from public.versions where id in (
    select id from (
      select v.id, row_number() over (partition by v.item_id order by v.replaced_at desc, v.id) as place
      from old_rows o join public.versions v on v.item_id = o.id
      where v.profile_id = auth.uid() and v.item_table = tg_table_name
    ) as placed where place > versions_per_item);
  return null;
end
$$;

-- Statements of triggers leave the growth to the last trigger of the statement that started them.
create function private.count_versions() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  owner uuid;
  bytes bigint;
begin
  if tg_op = 'INSERT' then
    for owner, bytes in select profile_id, sum(size) from new_rows group by 1 loop
      perform private.add_growth(owner, 0, bytes);
    end loop;
  else
    for owner, bytes in select profile_id, sum(size) from old_rows group by 1 loop
      perform private.add_growth(owner, 0, -bytes);
    end loop;
  end if;
  if pg_trigger_depth() = 1 then
    perform private.settle_growth();
  end if;
  return null;
end
$$;

create trigger count_inserted_versions after insert on public.versions
  referencing new table as new_rows for each statement execute function private.count_versions();
create trigger count_deleted_versions after delete on public.versions
  referencing old table as old_rows for each statement execute function private.count_versions();

-- Removes a member's versions until they take `excess` bytes less: first the oldest versions of the item with the most
-- versions, and finally the last versions of items that were deleted in the last 30 days, the earliest deletion first.
-- Frees 100 kB more than that, so that a member at the limit doesn't pay for this search with every small save.
create function private.remove_versions(owner uuid, excess bigint) returns void
  language sql set search_path = '' as $$
  delete from public.versions where id in (
    select id from (
      select id, size, sum(size) over (order by is_last_deletion, place desc, replaced_at, id) as removed
      from (
        select v.id, v.size, v.replaced_at, place,
          place = 1 and v.is_deletion and v.replaced_at > now() - interval '30 days' as is_last_deletion
        from (
          select id, size, replaced_at, is_deletion,
            row_number() over (partition by item_table, item_id order by replaced_at desc, id) as place
          from public.versions where profile_id = owner
        ) as v
      ) as placed
    ) as candidates
    where removed - size < excess + 100 * 1024)
$$;

-- Deletes expired versions of up to 100 members. Skips members who are saving, because waiting for them could deadlock.
-- Until then, the policy hides expired versions.
create function private.remove_expired_versions() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  owners uuid[];
begin
  if exists (select from public.versions where replaced_at < now() - interval '90 days') then
    owners := array(select profile_id from private.storage_use where profile_id in (
      select profile_id from public.versions where replaced_at < now() - interval '90 days'
      order by replaced_at limit 100) for update skip locked);
    delete from public.versions where id in (
      select id from public.versions where replaced_at < now() - interval '90 days' and profile_id = any (owners)
      order by replaced_at limit 1000);
  end if;
  return null;
end
$$;

-- Rejects an id that appears in another member's versions, like an id in use. Members can restore their own items.
create function private.reserve_ids() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if current_setting('role', true) = 'authenticated' and exists (
    select from new_rows n join public.versions v on v.item_id = n.id
    where v.profile_id <> auth.uid() and not exists (
      select from public.versions own
      where own.item_id = n.id and own.profile_id = auth.uid() and own.item_table = tg_table_name)
  ) then
    raise unique_violation using
      message = format('duplicate key value violates unique constraint "%s_pkey"', tg_table_name),
      schema = 'public', table = tg_table_name, constraint = tg_table_name || '_pkey';
  end if;
  return null;
end
$$;

create function private.remove_old_log() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  delete from public.operator_log where created_at < now() - interval '1 year';
  return null;
end
$$;

create trigger remove_old_log after insert on public.operator_log
  for each statement execute function private.remove_old_log();

-- Kinds of content --------------------------------------------------------------------------------------------------

-- Creates a trigram index, for `like` with any pattern. Finds the extension in whatever schema it is.
create function private.add_trigram_index(index_name text, relation regclass, expression text, condition text default 'true')
  returns void language plpgsql set search_path = '' as $$
begin
  execute format('create index %I on %s using gin (%s %s.gin_trgm_ops) where %s', index_name, relation, expression,
    (select extnamespace::regnamespace from pg_catalog.pg_extension where extname = 'pg_trgm'), condition);
end
$$;

-- Returns the condition that a folded text is so long that a search of its list asks an index instead of reading it.
create function private.is_long(folded text) returns text language sql immutable parallel safe
  return format('octet_length(%s) > 50000', folded);

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

grant usage on schema public to anon, authenticated, service_role;

select private.add_owned_table('profiles', 'id');
-- A profile is deleted with its account only.
revoke delete on public.profiles from authenticated;
drop policy profiles_delete_own on public.profiles;

-- For the author search. search_content() repeats this expression.
select private.add_trigram_index('profiles_search_idx', 'public.profiles',
  $$ private.fold_case(coalesce(full_name, '') || E'\n' || coalesce(username, '')) $$);

select private.add_owned_table('skills', 'profile_id');
create trigger skills_limit after insert on public.skills
  for each statement execute function private.limit_skills();
select private.add_content_kind('articles', 'author_id', '{title, content}', '{content}');
select private.add_content_kind('useful_links', 'profile_id', '{title, description, category}',
  '{description, category, url}');
select private.add_content_kind('code_samples', 'profile_id', '{title, description, code_content}',
  '{description, language, code_content}');

-- Versions and the operators' log are not content: clients write neither.

revoke all on public.versions, public.operator_log from public, anon, authenticated, service_role;
grant select on public.versions to authenticated;
grant select, delete on public.versions to service_role;
grant select, insert on public.operator_log to service_role;

alter table public.versions enable row level security, force row level security;
alter table public.operator_log enable row level security, force row level security;

create policy versions_select_own on public.versions for select to authenticated
  using (profile_id = (select auth.uid()) and replaced_at > now() - interval '90 days');
-- The triggers' functions run as the owner of the tables, who is a member of service_role.
create policy versions_select_service on public.versions for select to service_role using (true);
create policy versions_insert_service on public.versions for insert to service_role with check (true);
create policy versions_update_service on public.versions for update to service_role using (true);
create policy versions_delete_service on public.versions for delete to service_role using (true);
create policy operator_log_select_service on public.operator_log for select to service_role using (true);
create policy operator_log_insert_service on public.operator_log for insert to service_role with check (true);
create policy operator_log_delete_service on public.operator_log for delete to service_role
  using (created_at < now() - interval '1 year');

-- Profiles ----------------------------------------------------------------------------------------------------------

create function private.set_username_since() returns trigger language plpgsql set search_path = '' as $$
begin
  new.username_since := now();
  if tg_op = 'UPDATE' and new.username is not distinct from old.username then
    new.username_since := old.username_since;
  end if;
  return new;
end
$$;

-- A member's first article needs a profile to join (specification §3).
create function private.create_profile() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  -- The name that an identity provider or an operator knows.
  insert into public.profiles (id, full_name)
    values (new.id, left(nullif(btrim(new.raw_user_meta_data ->> 'full_name'), ''), 1000));
  return new;
end
$$;

create trigger create_profile after insert on auth.users
  for each row execute function private.create_profile();
create trigger set_username_since before insert or update on public.profiles
  for each row execute function private.set_username_since();

-- Lists -------------------------------------------------------------------------------------------------------------

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

-- The directory of people ------------------------------------------------------------------------------------------

-- The directory of people (contract, "Finding people"). A search compares its words with a person's profile and skills, so
-- each person has one document that contains both. Triggers keep it up to date.

create table private.people_search (
  profile_id uuid primary key references public.profiles (id) on delete cascade,
  -- Names, title, company and skills, one per line, folded for comparison.
  document text not null,
  categories text[] not null,
  -- Sort keys, in ascending order. `by_name` is null for a person without a name, who is not listed.
  by_experience text collate "C" not null,
  by_name text collate "C",
  -- For the search over everything.
  name text,
  names text not null,
  created_at timestamptz not null
);

select private.add_trigram_index('people_search_document_idx', 'private.people_search', 'document', 'by_name is not null');
create index people_search_by_experience_idx on private.people_search (by_experience, profile_id)
  where by_name is not null;
create index people_search_by_name_idx on private.people_search (by_name, profile_id) where by_name is not null;
create index people_search_created_at_idx on private.people_search (created_at desc, profile_id) where by_name is not null;
select private.add_search_source('people', 'private.people_search', 'profile_id', null, 'name', 'names', 'document',
  'by_name is not null');
-- Otherwise, the list of pending entries makes this index larger than its table: these documents are short.
alter index private.people_words_idx set (fastupdate = off);

revoke all on private.people_search from public, anon, authenticated, service_role;

create function private.refresh_people_search(ids uuid[]) returns void
  language plpgsql security definer set search_path = '' as $$
begin
  -- Wait for concurrent transactions in a separate statement, so that the next one sees the skills they have committed.
  perform 1 from private.people_search where profile_id = any (ids) order by profile_id for update;
  insert into private.people_search (profile_id, document, categories, by_experience, by_name, name, names, created_at)
  select p.id,
    private.fold_case(concat_ws(E'\n', p.full_name, p.username, p.current_title, p.company,
      array_to_string(p.featured_skills, E'\n'), s.names)),
    coalesce(s.categories, '{}'),
    -- Puts the most years first, and people without years last.
    coalesce(to_char(80 - p.years_experience, 'FM00'), 'none'),
    -- Drops accents, because accented letters would sort after all others.
    left(regexp_replace(normalize(private.fold_case(private.name_of(p.full_name, p.username)), NFD),
      '[\u0300-\u036f]', '', 'g'), 100),
    private.name_of(p.full_name, p.username),
    concat_ws(E'\n', p.full_name, p.username), p.created_at
  from public.profiles p
  left join lateral (
    select string_agg(name, E'\n') as names, array_agg(distinct category) as categories
    from public.skills where profile_id = p.id
  ) s on true
  where p.id = any (ids)
  on conflict (profile_id) do update set
    document = excluded.document, categories = excluded.categories,
    by_experience = excluded.by_experience, by_name = excluded.by_name,
    name = excluded.name, names = excluded.names, created_at = excluded.created_at;
end
$$;

-- Rebuilds everything that triggers keep up to date. A restore calls this, because it loads rows without triggers.
create function private.rebuild_derived() returns void
  language plpgsql security definer set search_path = '' as $$
declare
  kind private.content_kinds;
begin
  perform private.refresh_people_search(array(select id from public.profiles));
  perform private.measure_storage();
  for kind in select * from private.content_kinds loop
    execute format('insert into private.%I (item_id, folded) select id, private.fold_case(%s) from public.%I
      on conflict (item_id) do update set folded = excluded.folded',
      kind.content_table || '_text', kind.listed_text, kind.content_table);
  end loop;
end
$$;

create function private.refresh_people() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  changed uuid[];
begin
  if tg_table_name = 'profiles' then
    changed := array(select id from new_rows);
  else
    if tg_op <> 'DELETE' then
      changed := array(select profile_id from new_rows);
    end if;
    if tg_op <> 'INSERT' then
      changed := changed || array(select profile_id from old_rows);
    end if;
  end if;
  perform private.refresh_people_search(changed);
  return null;
end
$$;

-- These triggers run once per statement, so that an import refreshes each person once.
create trigger refresh_people_of_inserts after insert on public.profiles
  referencing new table as new_rows for each statement execute function private.refresh_people();
create trigger refresh_people_of_updates after update on public.profiles
  referencing new table as new_rows for each statement execute function private.refresh_people();
create trigger refresh_people_of_inserts after insert on public.skills
  referencing new table as new_rows for each statement execute function private.refresh_people();
create trigger refresh_people_of_updates after update on public.skills
  referencing old table as old_rows new table as new_rows for each statement execute function private.refresh_people();
create trigger refresh_people_of_deletes after delete on public.skills
  referencing old table as old_rows for each statement execute function private.refresh_people();

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
  words constant text[] := array_remove(string_to_array(
    private.fold_case(left(private.collapse_spaces(coalesce(search_text, '')), 300)), ' '), '');
  patterns constant text[] := array(
    select private.containing(word) from unnest(words) as word);
  -- Counts a person's public items of each kind, up to 100.
  counts constant text := (
    select string_agg(format('%L, (select count(*) from (select from public.%I where %I = p.id %s limit 100) as items)',
      content_table, content_table, owner_column, case when is_publishable then 'and published' end), ', ')
    from private.content_kinds);
  -- One `like` per word, because no index supports `like all`. The longest words are usually the rarest, so test them first.
  matches constant text := coalesce((
    select string_agg(format('s.document like %L', pattern), ' and ' order by char_length(pattern) desc)
    from unnest(patterns) as pattern), 'true');
begin
  return query execute format($q$
    select row_to_json(person) from (
      select p.id, p.username, p.full_name, p.avatar_url, p.current_title, p.company, p.years_experience,
        found.sort_key, shown.skills,
        json_build_object(%3$s) as published
      from (
        select s.profile_id, s.%1$I as sort_key from private.people_search s
        where s.by_name is not null and %2$s and ($1 = '' or $1 = any (s.categories))
          and ($2 is null or (s.%1$I, s.profile_id) > ($2 collate "C", $3))
        order by s.%1$I, s.profile_id limit $4
      ) as found
      join public.profiles p on p.id = found.profile_id
      cross join lateral (
        select coalesce(json_agg(json_build_object(
          'category', best.category, 'name', best.name, 'proficiency', best.proficiency) order by best.place), '[]') as skills
        from (
          select k.*, row_number() over (order by private.fold_case(k.name) like any ($5) desc,
            k.category = $1 desc, k.proficiency desc, k.name, k.id) as place
          from public.skills k where k.profile_id = p.id order by place limit 8
        ) as best
      ) as shown
      order by found.sort_key, found.profile_id
    ) as person $q$, case when sort_by_name then 'by_name' else 'by_experience' end, matches, counts)
    using coalesce(search_category, ''), cursor_key, cursor_id, least(page_size, 61), patterns;
end
$$;

revoke execute on function public.search_people from public;
grant execute on function public.search_people to anon, authenticated, service_role;

-- The search over everything ----------------------------------------------------------------------------------------

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
  parts text[] := '{}';
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
  included text[] := '{}';
  in_title text[] := '{}';
  text_checks text[] := '{}';
  title_checks text[] := '{}';
  patterns text[] := '{}';
  -- The places of the terms that are in a person's name, and a condition for the name of each term.
  named integer[] := '{}';
  name_checks text[] := '{}';
  in_name integer[];
  -- For the excluded terms.
  excluded text[] := '{}';
  negated text[];
  exclusions text[] := '{}';
  author_exclusions text[] := '{}';
  is_exact_title constant text := quote_literal('=' || hash);
  is_in_title text;
  -- The queries that find the results of a source together: { of_people, words, condition }.
  alternatives jsonb := '[]';
  words_of_part text[];
  conditions text[];
  part record;
  combine text;
  newest text;
  newest_from timestamptz;
  tier integer;
  queries text[];
  counts jsonb;
  found jsonb := '[]';
  page jsonb := '[]';
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

-- Pictures ----------------------------------------------------------------------------------------------------------

-- Members' pictures, in one public bucket. Storage serves public objects itself, so there is no policy that lets clients
-- list other members' pictures. A picture's name contains the hash of its bytes (contract, "Pictures").

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values (
  'pictures', 'pictures', true, 5 * 1024 * 1024,
  array['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif']
)
on conflict (id) do update set
  public = excluded.public,
  file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types;

create policy pictures_select_own on storage.objects for select to authenticated
  using (bucket_id = 'pictures' and (storage.foldername(name))[1] = (select auth.uid())::text);
create policy pictures_insert_own on storage.objects for insert to authenticated
  with check (
    bucket_id = 'pictures'
    and (storage.foldername(name))[1] = (select auth.uid())::text
    and name ~ '^[0-9a-f-]{36}/[0-9a-f]{32}-[1-9][0-9]{0,4}x[1-9][0-9]{0,4}\.(png|jpg|webp|gif|avif)$'
  );
-- Replacing a picture (upsert) is an update. `with check` applies to the new name.
create policy pictures_update_own on storage.objects for update to authenticated
  using (bucket_id = 'pictures' and (storage.foldername(name))[1] = (select auth.uid())::text)
  with check (
    bucket_id = 'pictures'
    and (storage.foldername(name))[1] = (select auth.uid())::text
    and name ~ '^[0-9a-f-]{36}/[0-9a-f]{32}-[1-9][0-9]{0,4}x[1-9][0-9]{0,4}\.(png|jpg|webp|gif|avif)$'
  );
create policy pictures_delete_own on storage.objects for delete to authenticated
  using (bucket_id = 'pictures' and (storage.foldername(name))[1] = (select auth.uid())::text);

-- Functions ---------------------------------------------------------------------------------------------------------

-- PostgreSQL lets everyone execute new functions. Whoever writes or restores a row runs the functions of its checks and
-- indexes, and whoever searches runs the others.
revoke execute on all functions in schema private from public;
grant execute on function private.has_text, private.fold_case, private.collapse_spaces, private.fold_accents,
  private.unspaced, private.split_words, private.title_hash, private.search_vector to public;
grant execute on function private.trim_spaces, private.containing, private.find_kind, private.is_long,
  private.find_long_texts to anon, authenticated, service_role;
