-- What is computed from other rows and from the tables' columns.

-- Rebuilds everything that triggers keep up to date. A restore calls this, because it loads rows without triggers.
create function private.rebuild_derived() returns void
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.measure_storage();
  delete from private.search_documents;
  insert into private.search_backlog
  select content_table, timestamptz 'infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid from private.content_kinds
  union all select 'people', 'infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff'
  on conflict (kind) do update set created_at = excluded.created_at, id = excluded.id;
  while public.fill_search(5000) > 0 loop
  end loop;
end
$$;
