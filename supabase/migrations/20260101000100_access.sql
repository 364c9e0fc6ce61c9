-- Who may do what. Everyone reads all five tables; a member writes only rows of his own and can give
-- none away; an anonymous client writes nothing; the service key stands above all of it.

-- Grants. Hosted projects differ in what new tables are granted by default, so: nothing, then by name.
grant usage on schema public to anon, authenticated, service_role;

revoke all on public.profiles, public.skills, public.articles, public.useful_links, public.code_samples
  from public, anon, authenticated, service_role;
grant select on public.profiles, public.skills, public.articles, public.useful_links, public.code_samples
  to anon, authenticated;
grant insert, update on public.profiles to authenticated;
grant insert, update, delete on public.skills, public.articles, public.useful_links, public.code_samples
  to authenticated;
grant select, insert, update, delete
  on public.profiles, public.skills, public.articles, public.useful_links, public.code_samples
  to service_role;

-- Row-level security, for the owner of the tables as well.
alter table public.profiles enable row level security, force row level security;
alter table public.skills enable row level security, force row level security;
alter table public.articles enable row level security, force row level security;
alter table public.useful_links enable row level security, force row level security;
alter table public.code_samples enable row level security, force row level security;

-- auth.uid() stands in a subselect so that it is evaluated once per statement. An update policy without
-- 'with check' applies 'using' to the new row too, so nobody can give a row away.
create policy profiles_select_anon on public.profiles for select to anon using (true);
create policy profiles_select_member on public.profiles for select to authenticated using (true);
create policy profiles_insert_own on public.profiles for insert to authenticated
  with check (id = (select auth.uid()));
create policy profiles_update_own on public.profiles for update to authenticated
  using (id = (select auth.uid()));

create policy skills_select_anon on public.skills for select to anon using (true);
create policy skills_select_member on public.skills for select to authenticated using (true);
create policy skills_insert_own on public.skills for insert to authenticated
  with check (profile_id = (select auth.uid()));
create policy skills_update_own on public.skills for update to authenticated
  using (profile_id = (select auth.uid()));
create policy skills_delete_own on public.skills for delete to authenticated
  using (profile_id = (select auth.uid()));

create policy articles_select_anon on public.articles for select to anon using (true);
create policy articles_select_member on public.articles for select to authenticated using (true);
create policy articles_insert_own on public.articles for insert to authenticated
  with check (author_id = (select auth.uid()));
create policy articles_update_own on public.articles for update to authenticated
  using (author_id = (select auth.uid()));
create policy articles_delete_own on public.articles for delete to authenticated
  using (author_id = (select auth.uid()));

create policy useful_links_select_anon on public.useful_links for select to anon using (true);
create policy useful_links_select_member on public.useful_links for select to authenticated using (true);
create policy useful_links_insert_own on public.useful_links for insert to authenticated
  with check (profile_id = (select auth.uid()));
create policy useful_links_update_own on public.useful_links for update to authenticated
  using (profile_id = (select auth.uid()));
create policy useful_links_delete_own on public.useful_links for delete to authenticated
  using (profile_id = (select auth.uid()));

create policy code_samples_select_anon on public.code_samples for select to anon using (true);
create policy code_samples_select_member on public.code_samples for select to authenticated using (true);
create policy code_samples_insert_own on public.code_samples for insert to authenticated
  with check (profile_id = (select auth.uid()));
create policy code_samples_update_own on public.code_samples for update to authenticated
  using (profile_id = (select auth.uid()));
create policy code_samples_delete_own on public.code_samples for delete to authenticated
  using (profile_id = (select auth.uid()));

-- The service key, for servers on which its role could not be given 'bypassrls'; and with it an owner of the
-- tables who is no superuser, because he belongs to that role.
create policy profiles_service on public.profiles to service_role using (true) with check (true);
create policy skills_service on public.skills to service_role using (true) with check (true);
create policy articles_service on public.articles to service_role using (true) with check (true);
create policy useful_links_service on public.useful_links to service_role using (true) with check (true);
create policy code_samples_service on public.code_samples to service_role using (true) with check (true);
