-- What holds whatever a client sends. The functions lie in a schema that no API exposes, and nobody may
-- call them: a trigger needs no grant.

create schema if not exists private;
revoke all on schema private from public;

-- Identity, owner and birth of a row never change. An upsert sends all of them back (specification §7,
-- call 16), so what is sent is put back in place rather than refused.
create function private.keep_identity() returns trigger language plpgsql set search_path = '' as $$
begin
  new.id := old.id;
  new.created_at := old.created_at;
  return new;
end
$$;

create function private.keep_author() returns trigger language plpgsql set search_path = '' as $$
begin
  new.author_id := old.author_id;
  return new;
end
$$;

create function private.keep_profile() returns trigger language plpgsql set search_path = '' as $$
begin
  new.profile_id := old.profile_id;
  return new;
end
$$;

-- A row dated in the future would head every 'newest first' list until then.
create function private.cap_created_at() returns trigger language plpgsql set search_path = '' as $$
begin
  new.created_at := least(new.created_at, now());
  return new;
end
$$;

create function private.set_updated_at() returns trigger language plpgsql set search_path = '' as $$
begin
  new.updated_at := now();
  return new;
end
$$;

-- A member's first article needs a profile to join (specification §3), so an account is born with one.
create function private.make_profile() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.profiles (id) values (new.id);
  return new;
end
$$;

revoke execute on function
  private.keep_identity(), private.keep_author(), private.keep_profile(),
  private.cap_created_at(), private.set_updated_at(), private.make_profile()
  from public;

create trigger make_profile after insert on auth.users
  for each row execute function private.make_profile();

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

create trigger keep_owner before update on public.articles
  for each row when (current_user <> 'service_role') execute function private.keep_author();
create trigger keep_owner before update on public.skills
  for each row when (current_user <> 'service_role') execute function private.keep_profile();
create trigger keep_owner before update on public.useful_links
  for each row when (current_user <> 'service_role') execute function private.keep_profile();
create trigger keep_owner before update on public.code_samples
  for each row when (current_user <> 'service_role') execute function private.keep_profile();

create trigger cap_created_at before insert on public.profiles
  for each row when (current_user <> 'service_role') execute function private.cap_created_at();
create trigger cap_created_at before insert on public.skills
  for each row when (current_user <> 'service_role') execute function private.cap_created_at();
create trigger cap_created_at before insert on public.articles
  for each row when (current_user <> 'service_role') execute function private.cap_created_at();
create trigger cap_created_at before insert on public.useful_links
  for each row when (current_user <> 'service_role') execute function private.cap_created_at();
create trigger cap_created_at before insert on public.code_samples
  for each row when (current_user <> 'service_role') execute function private.cap_created_at();

create trigger set_updated_at before insert or update on public.profiles
  for each row execute function private.set_updated_at();
create trigger set_updated_at before insert or update on public.articles
  for each row execute function private.set_updated_at();
create trigger set_updated_at before insert or update on public.code_samples
  for each row execute function private.set_updated_at();
