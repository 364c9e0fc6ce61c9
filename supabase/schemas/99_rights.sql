-- PostgreSQL lets everyone execute new functions. Whoever writes or restores a row runs the functions of its checks and
-- indexes, and whoever searches runs the others.
revoke execute on all functions in schema private from public;
grant execute on function private.has_text, private.fold_case, private.collapse_spaces, private.fold_accents,
  private.unspaced, private.split_words, private.title_hash, private.search_vector to public;
grant execute on function private.trim_spaces, private.containing, private.find_kind, private.is_long,
  private.find_long_texts to anon, authenticated, service_role;
