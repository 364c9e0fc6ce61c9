-- PostgreSQL lets everyone execute new functions. Whoever writes or restores a row runs the functions of its checks and
-- indexes, and whoever searches runs the others.
revoke execute on all functions in schema private from public;
grant execute on function private.has_text, private.fold_case, private.collapse_spaces, private.fold_accents,
  private.unspaced, private.split_words, private.title_hash to public;
grant execute on function private.trim_spaces, private.containing, private.find_kind to anon, authenticated, service_role;
revoke execute on function public.fill_search, public.search_items from public, anon, authenticated;
grant execute on function public.search_items to anon, authenticated, service_role;
grant execute on function public.fill_search to service_role;
revoke execute on function public.search_content from public;
grant execute on function public.search_content to anon, authenticated, service_role;
revoke execute on function public.search_people from public;
grant execute on function public.search_people to anon, authenticated, service_role;
revoke execute on function public.search_everything from public;
grant execute on function public.search_everything to anon, authenticated, service_role;
