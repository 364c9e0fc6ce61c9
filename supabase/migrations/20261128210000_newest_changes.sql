-- The index of the sitemaps read whole tables to find the newest change.
create index articles_updated_at_idx on public.articles (updated_at desc) where published;
create index code_samples_updated_at_idx on public.code_samples (updated_at desc);
