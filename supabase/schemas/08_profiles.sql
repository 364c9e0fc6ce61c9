-- Profiles, one for each account.

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

-- For the author search. search_content() repeats this expression.
select private.add_trigram_index('profiles_search_idx', 'public.profiles',
  $$ private.fold_case(coalesce(full_name, '') || E'\n' || coalesce(username, '')) $$);
