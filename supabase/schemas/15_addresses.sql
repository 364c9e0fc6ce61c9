-- Addresses that people can read (contract): an item's address ends in the last twelve digits of its id.

-- Creates the index of a kind of content that is added later.
create function private.add_address_index() returns trigger language plpgsql set search_path = '' as $$
begin
  execute format('create unique index %I on public.%I (right(id::text, 12))',
    new.content_table || '_address_idx', new.content_table);
  return null;
end
$$;

revoke execute on function private.add_address_index from public;

create trigger add_address_index after insert on private.content_kinds
  for each row execute function private.add_address_index();

create unique index articles_address_idx on public.articles (right(id::text, 12));
create unique index useful_links_address_idx on public.useful_links (right(id::text, 12));
create unique index code_samples_address_idx on public.code_samples (right(id::text, 12));

-- Returns the item whose id ends in these digits, with the parts of its author's profile that pages show.
create function public.find_item(content_table text, digits text) returns setof json
  language plpgsql stable security invoker set search_path = '' as $$
declare
  kind constant private.content_kinds := private.find_kind(content_table);
begin
  if kind is null then
    raise exception 'content_table must be the table of a kind of content, such as articles' using errcode = '22023';
  end if;
  if digits !~ '^[0-9a-f]{12}$' then
    raise exception 'digits must be the last twelve hexadecimal digits of an id' using errcode = '22023';
  end if;
  return query execute format($q$
    select to_json(found) from (
      select t.*, (select to_json(author) from (
        select p.username, p.full_name, p.avatar_url, p.current_title, p.company, p.years_experience) as author) as profiles
      from public.%I t join public.profiles p on p.id = t.%I
      where right(t.id::text, 12) = $1) as found
  $q$, kind.content_table, kind.owner_column) using digits;
end
$$;

revoke execute on function public.find_item from public;
grant execute on function public.find_item to anon, authenticated, service_role;
