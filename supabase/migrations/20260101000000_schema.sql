-- The five tables of specification §3, their checks, and the indexes for the reads of §7.

create table public.profiles (
  id uuid primary key default gen_random_uuid() references auth.users (id) on delete cascade,
  username text,
  full_name text,
  bio text,
  avatar_url text,
  current_title text,
  company text,
  years_experience integer check (years_experience >= 0),
  featured boolean not null default false,
  linkedin_url text,
  featured_skills text[] not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table public.skills (
  id uuid primary key default gen_random_uuid(),
  profile_id uuid not null references public.profiles (id) on delete cascade,
  category text not null default 'python' check (category in ('python', 'sql', 'aws', 'tools')),
  name text not null,
  proficiency integer not null default 3 check (proficiency between 1 and 5),
  years_experience integer not null default 1 check (years_experience >= 0),
  created_at timestamptz not null default now()
);

create table public.articles (
  id uuid primary key default gen_random_uuid(),
  author_id uuid not null references public.profiles (id) on delete cascade,
  title text not null check (title <> ''),
  content text not null check (content <> ''),
  published boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table public.useful_links (
  id uuid primary key default gen_random_uuid(),
  profile_id uuid not null references public.profiles (id) on delete cascade,
  title text not null check (title <> ''),
  url text not null check (url <> ''),
  description text,
  category text not null check (category <> ''),
  created_at timestamptz not null default now()
);

create table public.code_samples (
  id uuid primary key default gen_random_uuid(),
  profile_id uuid not null references public.profiles (id) on delete cascade,
  title text not null check (title <> ''),
  description text,
  code_content text not null check (code_content <> ''),
  language text not null
    check (language in ('python', 'sql', 'javascript', 'typescript', 'bash', 'yaml')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- Addresses: the rule for Markdown of §2, word for word react-markdown's defaultUrlTransform. Either no
-- colon stands before the first '/', '?' or '#' (relative), or what stands before it is one of six schemes.
alter table public.profiles
  add constraint profiles_avatar_url_check check (
    avatar_url collate "C" ~* '^([^:/?#]*([/?#]|$)|(https?|ircs?|mailto|xmpp):)'
  ),
  add constraint profiles_linkedin_url_check check (
    linkedin_url collate "C" ~* '^([^:/?#]*([/?#]|$)|(https?|ircs?|mailto|xmpp):)'
  );
alter table public.useful_links
  add constraint useful_links_url_scheme_check check (
    url collate "C" ~* '^([^:/?#]*([/?#]|$)|(https?|ircs?|mailto|xmpp):)'
  );

-- Lists, newest first (§7 calls 4, 7, 8, 15); read backwards they serve 'Oldest First'.
create index articles_created_at_idx on public.articles (created_at desc, id);
create index articles_published_idx on public.articles (created_at desc, id) where published;
create index useful_links_created_at_idx on public.useful_links (created_at desc, id);
create index code_samples_created_at_idx on public.code_samples (created_at desc, id);
-- Featured professionals (call 5) and the skills of one (6, 10).
create index profiles_featured_idx on public.profiles (years_experience desc nulls last, id) where featured;
create index skills_profile_id_idx on public.skills (profile_id, proficiency desc);
-- Owners: the policies, the joins and the cascades ask by them.
create index articles_author_id_idx on public.articles (author_id);
create index useful_links_profile_id_idx on public.useful_links (profile_id);
create index code_samples_profile_id_idx on public.code_samples (profile_id);
