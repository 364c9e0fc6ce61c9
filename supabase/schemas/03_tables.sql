-- The five tables of specification §3. A kind of content is a table with an id, an owner, a title and `created_at`.
-- 05_owned_tables.sql and 07_kinds.sql create everything else that it needs.

grant usage on schema public to anon, authenticated, service_role;

create table public.profiles (
  -- The default is of no use without an account, but clients rely on each id having one (contract, "Database").
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
  username_since timestamptz not null default now(),
  -- When the member first signed in or saved their profile. Null for people who were only invited or added.
  joined_at timestamptz,
  -- When the member left (`retire`).
  left_at timestamptz,
  -- The end of a suspension.
  unlisted_until timestamptz
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

-- For featured professionals (specification §7, call 5) and one person's skills (calls 6 and 10).
create index profiles_featured_idx on public.profiles (years_experience desc nulls last, id) where featured;
create index skills_profile_id_idx on public.skills (profile_id, proficiency desc);
-- For lookups by username. A hash index, because 1,000 characters may not fit into a B-tree.
create index profiles_username_idx on public.profiles using hash (username);
