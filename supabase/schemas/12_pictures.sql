-- Members' pictures, in one public bucket. Storage serves public objects itself, so there is no policy that lets clients
-- list other members' pictures. A picture's name contains the hash of its bytes (contract, "Pictures").

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values (
  'pictures', 'pictures', true, 5 * 1024 * 1024,
  array['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif']
)
on conflict (id) do update set
  public = excluded.public,
  file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types;

-- Whether this is the path of a picture (contract, "Pictures") in the caller's own folder.
create function private.is_own_picture(path text) returns boolean
  language sql stable set search_path = '' as $$
  select path ~ '^[0-9a-f-]{36}/[0-9a-f]{32}-[1-9][0-9]{0,4}x[1-9][0-9]{0,4}\.(png|jpg|webp|gif|avif)$'
    and split_part(path, '/', 1) = auth.uid()::text
$$;
revoke execute on function private.is_own_picture from public;
grant execute on function private.is_own_picture to authenticated;

-- The names in a member's folder are a range of the index, because 0 is the character after the slash. The last condition
-- selects the same names: an index by time contains it (base.sql).
create policy pictures_select_own on storage.objects for select to authenticated
  using (bucket_id = 'pictures' and name collate "C" >= (select auth.uid())::text || '/'
    and name collate "C" < (select auth.uid())::text || '0'
    and split_part(name, '/', 1) = (select auth.uid())::text);
create policy pictures_insert_own on storage.objects for insert to authenticated
  with check (bucket_id = 'pictures' and private.is_own_picture(name));
-- Replacing a picture (upsert) is an update. `with check` applies to the new name.
create policy pictures_update_own on storage.objects for update to authenticated
  using (bucket_id = 'pictures' and name collate "C" >= (select auth.uid())::text || '/'
    and name collate "C" < (select auth.uid())::text || '0'
    and split_part(name, '/', 1) = (select auth.uid())::text)
  with check (bucket_id = 'pictures' and private.is_own_picture(name));
create policy pictures_delete_own on storage.objects for delete to authenticated
  using (bucket_id = 'pictures' and name collate "C" >= (select auth.uid())::text || '/'
    and name collate "C" < (select auth.uid())::text || '0'
    and split_part(name, '/', 1) = (select auth.uid())::text);
