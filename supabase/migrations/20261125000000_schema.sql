-- The schema: five tables (specification §3), who may read and write them (docs/access-rules.md), and the search.
-- It runs on PostgreSQL 15 to 18 and on hosted Supabase. server/postgres/base.sql creates what Supabase itself provides.

create extension if not exists pg_trgm with schema extensions;

create schema if not exists private;
revoke all on schema private from public;

-- Functions for checks and indexes. They run as the role that writes a row, so every role may execute them.

-- Whether a text has a character that is not white space, as JavaScript defines it (`\s` depends on the locale).
create function extensions.has_text(content text) returns boolean
  language sql immutable strict parallel safe
  return content ~ '[^\s\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]';

-- Returns a text in the form in which the search compares it: composed (NFC), in lower case, with one form of sigma.
-- Skips the normalization of ASCII text, which is composed already, because it would take ten times as long.
create function extensions.fold_case(content text) returns text
  language plpgsql immutable strict parallel safe as $$
begin
  if octet_length(content) = char_length(content) then
    return lower(content collate "C");
  end if;
  return replace(lower(normalize(content, NFC)), 'ς', 'σ');
end
$$;

-- Tables ------------------------------------------------------------------------------------------------------------

-- Addresses follow the rule for Markdown (specification §2, react-markdown's defaultUrlTransform): they are relative, with
-- no colon before the first '/', '?' or '#', or have one of six schemes.
-- Short fields are limited to 10,000 characters, so that one row cannot bloat every page.

create table public.profiles (
  id uuid primary key default gen_random_uuid() references auth.users (id) on delete cascade,
  username text check (char_length(username) <= 10000),
  full_name text check (char_length(full_name) <= 10000),
  bio text,
  avatar_url text check (char_length(avatar_url) <= 10000)
    constraint profiles_avatar_url_scheme_check
    check (avatar_url collate "C" ~* '^([^:/?#]*([/?#]|$)|(https?|ircs?|mailto|xmpp):)'),
  current_title text check (char_length(current_title) <= 10000),
  company text check (char_length(company) <= 10000),
  years_experience integer check (years_experience >= 0),
  featured boolean not null default false,
  linkedin_url text check (char_length(linkedin_url) <= 10000)
    constraint profiles_linkedin_url_scheme_check
    check (linkedin_url collate "C" ~* '^([^:/?#]*([/?#]|$)|(https?|ircs?|mailto|xmpp):)'),
  -- A one-dimensional array without nulls. `case` checks the dimensions first, because array_position raises an error for
  -- multidimensional arrays.
  featured_skills text[] not null default '{}' check (
    case when array_ndims(featured_skills) > 1 then false
    else cardinality(featured_skills) <= 1000 and array_position(featured_skills, null) is null
      and char_length(array_to_string(featured_skills, '')) <= 10000 end
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
  name text not null check (char_length(name) <= 10000),
  proficiency integer not null default 3 check (proficiency between 1 and 5),
  years_experience integer not null default 1 check (years_experience >= 0),
  created_at timestamptz not null default now()
);

create table public.articles (
  id uuid primary key default gen_random_uuid(),
  author_id uuid not null references public.profiles (id) on delete cascade,
  title text not null check (extensions.has_text(title) and char_length(title) <= 10000),
  content text not null check (extensions.has_text(content)),
  published boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table public.useful_links (
  id uuid primary key default gen_random_uuid(),
  profile_id uuid not null references public.profiles (id) on delete cascade,
  title text not null check (extensions.has_text(title) and char_length(title) <= 10000),
  url text not null check (extensions.has_text(url) and char_length(url) <= 10000)
    constraint useful_links_url_scheme_check
    check (url collate "C" ~* '^([^:/?#]*([/?#]|$)|(https?|ircs?|mailto|xmpp):)'),
  description text,
  category text not null check (extensions.has_text(category) and char_length(category) <= 10000),
  created_at timestamptz not null default now()
);

create table public.code_samples (
  id uuid primary key default gen_random_uuid(),
  profile_id uuid not null references public.profiles (id) on delete cascade,
  title text not null check (extensions.has_text(title) and char_length(title) <= 10000),
  description text,
  code_content text not null check (extensions.has_text(code_content)),
  language text not null
    check (language in ('python', 'sql', 'javascript', 'typescript', 'bash', 'yaml')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- Indexes -----------------------------------------------------------------------------------------------------------

-- For the lists, newest first (specification §7, calls 4, 7, 8 and 15). 'Oldest First' reads the indexes backwards.
create index articles_created_at_idx on public.articles (created_at desc, id);
create index articles_published_idx on public.articles (created_at desc, id) where published;
create index useful_links_created_at_idx on public.useful_links (created_at desc, id);
create index code_samples_created_at_idx on public.code_samples (created_at desc, id);
-- For featured professionals (call 5) and one person's skills (calls 6 and 10).
create index profiles_featured_idx on public.profiles (years_experience desc nulls last, id) where featured;
create index skills_profile_id_idx on public.skills (profile_id, proficiency desc);
-- On owners, for joins, policies and cascades.
create index articles_author_id_idx on public.articles (author_id);
create index useful_links_profile_id_idx on public.useful_links (profile_id);
create index code_samples_profile_id_idx on public.code_samples (profile_id);
-- For lookups by username. A hash index, because 10,000 characters don't fit into a B-tree.
create index profiles_username_idx on public.profiles using hash (username);
-- For the search. search_content() repeats these expressions.
create index articles_search_idx on public.articles using gin (
  extensions.fold_case(title || E'\n' || content) extensions.gin_trgm_ops);
create index useful_links_search_idx on public.useful_links using gin (
  extensions.fold_case(title || E'\n' || coalesce(description, '') || E'\n' || category) extensions.gin_trgm_ops);
create index code_samples_search_idx on public.code_samples using gin (
  extensions.fold_case(title || E'\n' || coalesce(description, '') || E'\n' || code_content) extensions.gin_trgm_ops);
create index profiles_search_idx on public.profiles using gin (
  extensions.fold_case(coalesce(full_name, '') || E'\n' || coalesce(username, '')) extensions.gin_trgm_ops);

-- Triggers ----------------------------------------------------------------------------------------------------------

-- The API does not expose schema `private`, and no client may execute its functions. Triggers run them without a grant.

-- An upsert sends these columns back (specification §7, call 16), so changes to them are undone instead of rejected.
create function private.keep_identity() returns trigger language plpgsql set search_path = '' as $$
begin
  new.id := old.id;
  new.created_at := old.created_at;
  return new;
end
$$;

create function private.keep_author_id() returns trigger language plpgsql set search_path = '' as $$
begin
  new.author_id := old.author_id;
  return new;
end
$$;

create function private.keep_profile_id() returns trigger language plpgsql set search_path = '' as $$
begin
  new.profile_id := old.profile_id;
  return new;
end
$$;

-- An item from the future would stay at the top of its list. JavaScript cannot show dates before the year 1.
create function private.bound_created_at() returns trigger language plpgsql set search_path = '' as $$
begin
  new.created_at := greatest(least(new.created_at, now()), '0001-01-01 00:00:00+00');
  return new;
end
$$;

create function private.set_updated_at() returns trigger language plpgsql set search_path = '' as $$
begin
  new.updated_at := now();
  return new;
end
$$;

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
  insert into public.profiles (id) values (new.id);
  return new;
end
$$;

revoke execute on all functions in schema private from public;

create trigger create_profile after insert on auth.users
  for each row execute function private.create_profile();

create trigger set_username_since before insert or update on public.profiles
  for each row execute function private.set_username_since();

create trigger set_updated_at before insert or update on public.profiles
  for each row execute function private.set_updated_at();
create trigger set_updated_at before insert or update on public.articles
  for each row execute function private.set_updated_at();
create trigger set_updated_at before insert or update on public.code_samples
  for each row execute function private.set_updated_at();

-- The following triggers don't apply to the service key.

create trigger keep_identity before update on public.profiles
  for each row when (current_user <> 'service_role') execute function private.keep_identity();
create trigger keep_identity before update on public.skills
  for each row when (current_user <> 'service_role') execute function private.keep_identity();
create trigger keep_identity before update on public.articles
  for each row when (current_user <> 'service_role') execute function private.keep_identity();
create trigger keep_identity before update on public.useful_links
  for each row when (current_user <> 'service_role') execute function private.keep_identity();
create trigger keep_identity before update on public.code_samples
  for each row when (current_user <> 'service_role') execute function private.keep_identity();

create trigger keep_owner before update on public.skills
  for each row when (current_user <> 'service_role') execute function private.keep_profile_id();
create trigger keep_owner before update on public.articles
  for each row when (current_user <> 'service_role') execute function private.keep_author_id();
create trigger keep_owner before update on public.useful_links
  for each row when (current_user <> 'service_role') execute function private.keep_profile_id();
create trigger keep_owner before update on public.code_samples
  for each row when (current_user <> 'service_role') execute function private.keep_profile_id();

create trigger bound_created_at before insert on public.profiles
  for each row when (current_user <> 'service_role') execute function private.bound_created_at();
create trigger bound_created_at before insert on public.skills
  for each row when (current_user <> 'service_role') execute function private.bound_created_at();
create trigger bound_created_at before insert on public.articles
  for each row when (current_user <> 'service_role') execute function private.bound_created_at();
create trigger bound_created_at before insert on public.useful_links
  for each row when (current_user <> 'service_role') execute function private.bound_created_at();
create trigger bound_created_at before insert on public.code_samples
  for each row when (current_user <> 'service_role') execute function private.bound_created_at();

-- Access ------------------------------------------------------------------------------------------------------------

-- Hosted projects differ in what they grant on new tables, so everything is revoked first.
grant usage on schema public to anon, authenticated, service_role;
revoke all on public.profiles, public.skills, public.articles, public.useful_links, public.code_samples
  from public, anon, authenticated, service_role;
grant select on public.profiles, public.skills, public.articles, public.useful_links, public.code_samples
  to anon, authenticated;
grant insert, update on public.profiles to authenticated;
grant insert, update, delete on public.skills, public.articles, public.useful_links, public.code_samples
  to authenticated;
grant select, insert, update, delete
  on public.profiles, public.skills, public.articles, public.useful_links, public.code_samples to service_role;

-- `force` applies row-level security to the tables' owner too.
alter table public.profiles enable row level security, force row level security;
alter table public.skills enable row level security, force row level security;
alter table public.articles enable row level security, force row level security;
alter table public.useful_links enable row level security, force row level security;
alter table public.code_samples enable row level security, force row level security;

-- A subselect evaluates auth.uid() once per statement. An update policy without `with check` applies `using` to the new
-- row too, so no member can give a row away.

create policy profiles_select_anon on public.profiles for select to anon using (true);
create policy profiles_select_member on public.profiles for select to authenticated using (true);
create policy profiles_insert_own on public.profiles for insert to authenticated
  with check (id = (select auth.uid()));
create policy profiles_update_own on public.profiles for update to authenticated
  using (id = (select auth.uid()));

create policy skills_select_anon on public.skills for select to anon using (true);
create policy skills_select_member on public.skills for select to authenticated using (true);
create policy skills_insert_own on public.skills for insert to authenticated
  with check (profile_id = (select auth.uid()));
create policy skills_update_own on public.skills for update to authenticated
  using (profile_id = (select auth.uid()));
create policy skills_delete_own on public.skills for delete to authenticated
  using (profile_id = (select auth.uid()));

create policy articles_select_anon on public.articles for select to anon using (true);
create policy articles_select_member on public.articles for select to authenticated using (true);
create policy articles_insert_own on public.articles for insert to authenticated
  with check (author_id = (select auth.uid()));
create policy articles_update_own on public.articles for update to authenticated
  using (author_id = (select auth.uid()));
create policy articles_delete_own on public.articles for delete to authenticated
  using (author_id = (select auth.uid()));

create policy useful_links_select_anon on public.useful_links for select to anon using (true);
create policy useful_links_select_member on public.useful_links for select to authenticated using (true);
create policy useful_links_insert_own on public.useful_links for insert to authenticated
  with check (profile_id = (select auth.uid()));
create policy useful_links_update_own on public.useful_links for update to authenticated
  using (profile_id = (select auth.uid()));
create policy useful_links_delete_own on public.useful_links for delete to authenticated
  using (profile_id = (select auth.uid()));

create policy code_samples_select_anon on public.code_samples for select to anon using (true);
create policy code_samples_select_member on public.code_samples for select to authenticated using (true);
create policy code_samples_insert_own on public.code_samples for insert to authenticated
  with check (profile_id = (select auth.uid()));
create policy code_samples_update_own on public.code_samples for update to authenticated
  using (profile_id = (select auth.uid()));
create policy code_samples_delete_own on public.code_samples for delete to authenticated
  using (profile_id = (select auth.uid()));

-- For databases in which service_role has no `bypassrls` because the site's login was not allowed to grant it (base.sql).
-- The tables' owner is a member of service_role, so these policies also let an owner without superuser rights maintain them.
do $$
declare
  name text;
begin
  foreach name in array array['profiles', 'skills', 'articles', 'useful_links', 'code_samples'] loop
    execute format('create policy %I on public.%I for select to service_role using (true)', name || '_select_service', name);
    execute format('create policy %I on public.%I for insert to service_role with check (true)', name || '_insert_service', name);
    execute format('create policy %I on public.%I for update to service_role using (true)', name || '_update_service', name);
    execute format('create policy %I on public.%I for delete to service_role using (true)', name || '_delete_service', name);
  end loop;
end
$$;

-- Search ------------------------------------------------------------------------------------------------------------

/*
 * Returns one page of a content list as JSON: the items that contain the search text and whose author matches (specification
 * §5), each with its author, in list order, starting after the cursor. With `backwards`, returns the items before the
 * cursor, the nearest first. Ignores white space around the search texts and everything after their first 300 characters.
 */
create function public.search_content(
  content_table text,
  search_text text default '',
  search_author text default '',
  oldest_first boolean default false,
  cursor_time timestamptz default null,
  cursor_id uuid default null,
  backwards boolean default false,
  page_size integer default 60
) returns setof json
  language plpgsql stable security invoker set search_path = '' as $$
declare
  owner_column constant text := case content_table when 'articles' then 'author_id' else 'profile_id' end;
  searched constant text := case content_table
    when 'articles' then $t$ t.title || E'\n' || t.content $t$
    when 'useful_links' then $t$ t.title || E'\n' || coalesce(t.description, '') || E'\n' || t.category $t$
    when 'code_samples' then $t$ t.title || E'\n' || coalesce(t.description, '') || E'\n' || t.code_content $t$ end;
  -- Items with the same time are listed by ascending id in both sort orders. `backwards` reverses both columns.
  is_descending constant boolean := oldest_first = backwards;
  list_order constant text := format('t.created_at %s, t.id %s',
    case when is_descending then 'desc' else 'asc' end, case when backwards then 'desc' else 'asc' end);
  after_cursor constant text := format('($1 is null or t.created_at %1$s= $1 and (t.created_at %1$s $1 or t.id %2$s $2))',
    case when is_descending then '<' else '>' end, case when backwards then '<' else '>' end);
  text constant text := coalesce(
    extensions.fold_case(left(regexp_replace(search_text, '^\s+|\s+$', '', 'g'), 300)), '');
  author constant text := coalesce(
    extensions.fold_case(left(regexp_replace(search_author, '^\s+|\s+$', '', 'g'), 300)), '');
  -- Texts of one or two characters have no trigrams. For them, scanning the table with `strpos` is faster than the index.
  matches constant text := format(
    case when text = '' then 'true' when char_length(text) < 3 then 'strpos(%1$s, $3) > 0' else '%1$s like $3' end
    || ' and ' || case when author = '' then 'true' else '%2$s like $4' end,
    format('extensions.fold_case(%s)', searched),
    $p$ extensions.fold_case(coalesce(p.full_name, '') || E'\n' || coalesce(p.username, '')) $p$);
  text_pattern constant text := case when char_length(text) < 3 then text
    else '%' || regexp_replace(text, '([\\%_])', '\\\1', 'g') || '%' end;
  author_pattern constant text := '%' || regexp_replace(author, '([\\%_])', '\\\1', 'g') || '%';
  missing integer := least(page_size, 61);
  found_rows integer;
  next_rows integer;
begin
  if searched is null then
    raise exception 'unknown content table' using errcode = '22023';
  end if;

  -- First read the list in order. This is fastest without a search, and for texts that many items contain.
  foreach next_rows in array array[200, 20000] loop
    return query execute format($q$
      select row_to_json(item) from (
        select t.*, json_build_object('username', p.username, 'full_name', p.full_name) as profiles
        from (select * from public.%1$I t where %3$s order by %4$s limit $6) as t
        join public.profiles p on p.id = t.%2$I
        where %5$s
        order by %4$s limit $5
      ) as item $q$, content_table, owner_column, after_cursor, list_order, matches)
      using cursor_time, cursor_id, text_pattern, author_pattern, missing, next_rows;
    get diagnostics found_rows = row_count;
    missing := missing - found_rows;
    if missing = 0 then
      return;
    end if;
    execute format('select t.created_at, t.id from public.%I t where %s order by %s offset $3 - 1 limit 1',
      content_table, after_cursor, list_order) into cursor_time, cursor_id using cursor_time, cursor_id, next_rows;
    if cursor_time is null then
      return;
    end if;
    exit when found_rows < 4;
  end loop;

  -- Find the remaining items with the trigram index. Without `materialized`, the planner might read the list in order again,
  -- because with row-level security it cannot estimate how rare a text is.
  return query execute format($q$
    with matching as materialized (
      select t.*, json_build_object('username', p.username, 'full_name', p.full_name) as profiles
      from public.%1$I t join public.profiles p on p.id = t.%2$I
      where %3$s and %5$s
    )
    select row_to_json(t) from matching t order by %4$s limit $5 $q$,
    content_table, owner_column, after_cursor, list_order, matches)
    using cursor_time, cursor_id, text_pattern, author_pattern, missing;
end
$$;

revoke execute on function public.search_content from public;
grant execute on function public.search_content to anon, authenticated, service_role;
