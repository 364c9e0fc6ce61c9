-- An item that an import creates keeps the date of its file. It was shown as updated on the day of the import.
create or replace function private.set_updated_at() returns trigger language plpgsql set search_path = '' as $$
begin
  new.updated_at := now();
  if tg_op = 'INSERT' then
    new.updated_at := least(new.created_at, now());
  end if;
  return new;
end
$$;
