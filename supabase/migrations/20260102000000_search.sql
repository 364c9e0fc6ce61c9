-- The search of the content pages in the database, for lists that are too long to be searched in the browser:
-- any substring, whatever its case, of the fields of specification §5. Trigrams serve 'ilike' from three
-- letters on; shorter ones are found along the lists' own order.

create extension if not exists pg_trgm with schema extensions;

create index articles_search_idx on public.articles
  using gin (title extensions.gin_trgm_ops, content extensions.gin_trgm_ops);
create index useful_links_search_idx on public.useful_links
  using gin (title extensions.gin_trgm_ops, description extensions.gin_trgm_ops, category extensions.gin_trgm_ops);
create index code_samples_search_idx on public.code_samples
  using gin (title extensions.gin_trgm_ops, description extensions.gin_trgm_ops, code_content extensions.gin_trgm_ops);
create index profiles_search_idx on public.profiles
  using gin (full_name extensions.gin_trgm_ops, username extensions.gin_trgm_ops);
