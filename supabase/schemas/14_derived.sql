-- What is computed from other rows and from the tables' columns.

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
