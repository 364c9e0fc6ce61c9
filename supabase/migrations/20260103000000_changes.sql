-- Whoever keeps pages learns that they are out of date: each statement that may have changed one of the five tables
-- says so on the channel `techfolio_changes`, with the table's name and no more, when it is committed (PostgreSQL,
-- 'NOTIFY'). In the database, so that a statement of an operator counts as well. Where nobody listens, as on a
-- hosted project, it is lost without a trace.

create function private.tell_change() returns trigger language plpgsql set search_path = '' as $$
begin
  perform pg_catalog.pg_notify('techfolio_changes', tg_table_name);
  return null;
end
$$;

revoke execute on function private.tell_change() from public;

create trigger tell_change after insert or update or delete or truncate on public.profiles
  for each statement execute function private.tell_change();
create trigger tell_change after insert or update or delete or truncate on public.skills
  for each statement execute function private.tell_change();
create trigger tell_change after insert or update or delete or truncate on public.articles
  for each statement execute function private.tell_change();
create trigger tell_change after insert or update or delete or truncate on public.useful_links
  for each statement execute function private.tell_change();
create trigger tell_change after insert or update or delete or truncate on public.code_samples
  for each statement execute function private.tell_change();
