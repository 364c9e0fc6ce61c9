-- Policies are written per command and role (docs/access-rules.md); those of the service key held for all commands.

do $$
declare
  name text;
begin
  foreach name in array array['profiles', 'skills', 'articles', 'useful_links', 'code_samples'] loop
    execute format('drop policy %I on public.%I', name || '_service', name);
    execute format('create policy %I on public.%I for select to service_role using (true)',
      name || '_select_service', name);
    execute format('create policy %I on public.%I for insert to service_role with check (true)',
      name || '_insert_service', name);
    execute format('create policy %I on public.%I for update to service_role using (true)',
      name || '_update_service', name);
    execute format('create policy %I on public.%I for delete to service_role using (true)',
      name || '_delete_service', name);
  end loop;
end
$$;
