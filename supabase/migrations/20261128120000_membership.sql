-- Who is shown as a professional (contract, "Finding people" and "Former members"): people who have signed in or saved
-- their profile, who have not left, and who are not suspended.

alter table public.profiles
  -- When the member first signed in or saved their profile. Null for people who were only invited or added.
  add column joined_at timestamptz,
  -- When the member left (`retire`).
  add column left_at timestamptz,
  -- The end of a suspension.
  add column unlisted_until timestamptz;

create index profiles_unlisted_until_idx on public.profiles (unlisted_until) where unlisted_until is not null;

-- The one definition of a person whom lists, searches and sitemaps show, apart from the name, which each of them requires.
create function private.is_listed(profile public.profiles) returns boolean
  language sql stable set search_path = '' as $$
  select profile.joined_at is not null and profile.left_at is null
    and (profile.unlisted_until is null or profile.unlisted_until <= now())
$$;

revoke execute on function private.is_listed from public;
grant execute on function private.is_listed to anon, authenticated, service_role;

-- Operators' commands decide about these columns, members don't.
create function private.keep_membership() returns trigger language plpgsql set search_path = '' as $$
begin
  if tg_op = 'UPDATE' and current_user not in ('anon', 'authenticated') then
    return new;
  end if;
  new.left_at := case when tg_op = 'UPDATE' then old.left_at end;
  new.unlisted_until := case when tg_op = 'UPDATE' then old.unlisted_until end;
  -- Only clients insert a profile of an account that has none.
  new.joined_at := case when tg_op = 'UPDATE' then old.joined_at else coalesce(new.joined_at, now()) end;
  return new;
end
$$;

create trigger keep_membership before insert or update on public.profiles
  for each row when (current_user in ('anon', 'authenticated', 'service_role')) execute function private.keep_membership();

create function private.note_first_save() returns trigger language plpgsql set search_path = '' as $$
begin
  new.joined_at := now();
  return new;
end
$$;

-- Runs after keep_membership, in the order of the names. Not for `featured`, which operators also set.
create trigger note_first_save
  before update of username, full_name, bio, avatar_url, current_title, company, years_experience, linkedin_url, featured_skills
  on public.profiles for each row when (new.joined_at is null) execute function private.note_first_save();

-- Replaced: stores the names that an operator or an identity provider knows, and not only the full name.
create or replace function private.create_profile() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  insert into public.profiles (id, full_name, username, joined_at, unlisted_until) values (
    new.id,
    left(nullif(btrim(new.raw_user_meta_data ->> 'full_name'), ''), 1000),
    left(nullif(btrim(new.raw_user_meta_data ->> 'username'), ''), 1000),
    new.last_sign_in_at,
    new.banned_until);
  return new;
end
$$;

create function private.follow_account() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  update public.profiles
  set joined_at = coalesce(joined_at, new.last_sign_in_at), unlisted_until = new.banned_until
  where id = new.id;
  return null;
end
$$;

create trigger follow_account after update of last_sign_in_at, banned_until on auth.users
  for each row when (old.last_sign_in_at is null and new.last_sign_in_at is not null
    or old.banned_until is distinct from new.banned_until)
  execute function private.follow_account();

revoke execute on function private.keep_membership, private.note_first_save, private.follow_account from public;
