-- Finds a member's pictures by a range of the index of names, because 0 is the character after the slash. The last condition
-- selects the same names: an index by time contains it (base.sql). The policies called a function for every member's
-- pictures, so a list took longer the more pictures all members had.

alter policy pictures_select_own on storage.objects
  using (bucket_id = 'pictures' and name collate "C" >= (select auth.uid())::text || '/'
    and name collate "C" < (select auth.uid())::text || '0'
    and split_part(name, '/', 1) = (select auth.uid())::text);
alter policy pictures_update_own on storage.objects
  using (bucket_id = 'pictures' and name collate "C" >= (select auth.uid())::text || '/'
    and name collate "C" < (select auth.uid())::text || '0'
    and split_part(name, '/', 1) = (select auth.uid())::text);
alter policy pictures_delete_own on storage.objects
  using (bucket_id = 'pictures' and name collate "C" >= (select auth.uid())::text || '/'
    and name collate "C" < (select auth.uid())::text || '0'
    and split_part(name, '/', 1) = (select auth.uid())::text);
