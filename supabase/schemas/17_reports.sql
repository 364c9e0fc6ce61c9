-- What readers report about items and people (contract, "Reports"). Only the service key may call these functions.

create table private.reports (
  id uuid primary key default gen_random_uuid(),
  created_at timestamptz not null default now(),
  -- A table of a kind of content, or 'profiles'.
  subject_table text not null,
  subject_id uuid not null,
  reason text not null check (private.has_text(reason)),
  -- For an answer.
  email text,
  -- When an email told the operators about the report.
  announced_at timestamptz
);

create index reports_subject_idx on private.reports (subject_table, subject_id);
create index reports_created_at_idx on private.reports (created_at);

-- Who reported what in the last hour, to limit each client.
create table private.report_senders (
  id uuid primary key default gen_random_uuid(),
  -- An IP address or a network.
  client text not null,
  sent_at timestamptz not null default now(),
  subject_table text not null,
  subject_id uuid not null,
  reason_digest text not null
);

create index report_senders_client_idx on private.report_senders (client, sent_at);

-- When operators last got an email about reports. Has exactly one row.
create table private.report_emails (
  is_only boolean primary key default true check (is_only),
  sent_at timestamptz not null
);

insert into private.report_emails (sent_at) values ('-infinity');

revoke all on private.reports, private.report_senders, private.report_emails from public, anon, authenticated, service_role;

create function private.remove_reports() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  delete from private.reports
  where subject_table = tg_table_name and subject_id in (select id from old_rows);
  return null;
end
$$;

-- Creates the trigger of a kind of content that is added later.
create function private.add_report_trigger() returns trigger language plpgsql set search_path = '' as $$
begin
  execute format('create trigger remove_reports after delete on public.%I
    referencing old table as old_rows for each statement execute function private.remove_reports()', new.content_table);
  return null;
end
$$;

create trigger add_report_trigger after insert on private.content_kinds
  for each row execute function private.add_report_trigger();

create trigger remove_reports after delete on public.profiles
  referencing old table as old_rows for each statement execute function private.remove_reports();
create trigger remove_reports after delete on public.articles
  referencing old table as old_rows for each statement execute function private.remove_reports();
create trigger remove_reports after delete on public.useful_links
  referencing old table as old_rows for each statement execute function private.remove_reports();
create trigger remove_reports after delete on public.code_samples
  referencing old table as old_rows for each statement execute function private.remove_reports();

-- Returns what the operators' page says about an item or a person, or null if it doesn't exist.
create function private.describe_reported(subject_table text, subject_id uuid) returns json
  language plpgsql stable set search_path = '' as $$
declare
  kind constant private.content_kinds := private.find_kind(subject_table);
  described json;
begin
  if subject_table = 'profiles' then
    return (select json_build_object('title', coalesce(private.name_of(full_name, username), ''), 'author_id', id,
        'author', coalesce(private.name_of(full_name, username), ''), 'published', null)
      from public.profiles where id = subject_id);
  end if;
  if kind.content_table is null then
    return null;
  end if;
  execute format($q$
    select json_build_object('title', item.title, 'author_id', p.id,
      'author', coalesce(private.name_of(p.full_name, p.username), ''), 'published', %s)
    from public.%I item join public.profiles p on p.id = item.%I where item.id = $1 $q$,
    case when kind.is_publishable then 'item.published' else 'null' end, kind.content_table, kind.owner_column)
    into described using subject_id;
  return described;
end
$$;

/*
 * Adds a report. Returns nothing if what is reported doesn't exist. Otherwise returns the seconds until the client may report
 * again, or 0 if the report was accepted. An accepted report is dropped if the client has sent the same one within the hour, or
 * if there are enough about the same item or person.
 */
create function public.add_report(
  subject_table text, subject_id uuid, reason text, email text, client text,
  max_per_hour integer, max_per_subject integer
) returns setof json
  language plpgsql security definer set search_path = '' as $$
declare
  kind constant private.content_kinds := private.find_kind(add_report.subject_table);
  reported_table constant text :=
    case when add_report.subject_table = 'profiles' then 'profiles' else kind.content_table end;
  digest constant text := md5(add_report.reason);
  oldest timestamptz;
  is_known boolean;
begin
  if reported_table is null then
    return;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('report by ' || add_report.client, 0));
  if exists (select from private.report_senders as s
    where s.client = add_report.client and s.subject_table = add_report.subject_table
      and s.subject_id = add_report.subject_id and s.reason_digest = digest
      and s.sent_at > now() - interval '1 hour') then
    return next json_build_object('wait_seconds', 0);
    return;
  end if;
  -- The client may report again when the oldest of its last reports is an hour old.
  select s.sent_at into oldest from private.report_senders as s
  where s.client = add_report.client and s.sent_at > now() - interval '1 hour'
  order by s.sent_at desc offset add_report.max_per_hour - 1 limit 1;
  if found then
    return next json_build_object('wait_seconds',
      greatest(1, ceil(extract(epoch from oldest + interval '1 hour' - now()))::integer));
    return;
  end if;

  -- Locks the row, so that its deletion waits, and then finds the report.
  execute format('select true from public.%I where id = $1 for key share', reported_table)
    into is_known using add_report.subject_id;
  if is_known is null then
    return;
  end if;
  insert into private.report_senders (client, subject_table, subject_id, reason_digest)
  values (add_report.client, add_report.subject_table, add_report.subject_id, digest);
  perform pg_advisory_xact_lock(hashtextextended('reports of ' || add_report.subject_id, 0));
  if (select count(*) from private.reports as r
    where r.subject_table = add_report.subject_table and r.subject_id = add_report.subject_id)
    < add_report.max_per_subject then
    insert into private.reports (subject_table, subject_id, reason, email)
    values (add_report.subject_table, add_report.subject_id, add_report.reason, nullif(add_report.email, ''));
  end if;
  return next json_build_object('wait_seconds', 0);
end
$$;

/*
 * Returns what was reported as JSON, with its reports, starting after the cursor: the most reports first, and of as many, the
 * latest report first.
 */
create function public.list_reports(
  cursor_count integer default null,
  cursor_time timestamptz default null,
  cursor_id uuid default null,
  page_size integer default 20
) returns setof json
  language sql stable security definer set search_path = '' as $$
  select json_build_object('table', subject_table, 'id', subject_id, 'count', count, 'latest', latest,
    'title', described ->> 'title', 'author', described ->> 'author', 'author_id', described ->> 'author_id',
    'published', described -> 'published', 'reports', reports)
  from (
    select subject_table, subject_id, count(*)::integer as count, max(created_at) as latest,
      json_agg(json_build_object('id', id, 'created_at', created_at, 'reason', reason, 'email', email)
        order by created_at desc, id) as reports
    from private.reports
    where created_at > now() - interval '90 days'
    group by subject_table, subject_id
  ) as groups
  cross join lateral private.describe_reported(subject_table, subject_id) as described
  where described is not null
    and (cursor_count is null or (count, latest, subject_id) < (cursor_count, cursor_time, cursor_id))
  order by count desc, latest desc, subject_id desc
  limit least(page_size, 100)
$$;

-- Ends a group: removes the reports about an item or a person. Returns their number.
create function public.end_reports(subject_table text, subject_id uuid) returns setof json
  language sql security definer set search_path = '' as $$
  with removed as (
    delete from private.reports as r
    where r.subject_table = end_reports.subject_table and r.subject_id = end_reports.subject_id
    returning r.id)
  select json_build_object('count', count(*)) from removed
$$;

-- Returns nothing.
create function public.remove_old_reports() returns setof json
  language plpgsql security definer set search_path = '' as $$
begin
  delete from private.reports where created_at <= now() - interval '90 days';
  delete from private.report_senders where sent_at <= now() - interval '1 hour';
end
$$;

/*
 * Reserves the day's email about reports that no email has mentioned, for one process. Returns nothing if there are none, or if
 * an email was sent within the last day.
 */
create function public.claim_report_email() returns setof json
  language plpgsql security definer set search_path = '' as $$
declare
  claimed timestamptz;
begin
  update private.report_emails set sent_at = now()
  where sent_at <= now() - interval '1 day' and exists (select from private.reports where announced_at is null)
  returning sent_at into claimed;
  if claimed is null then
    return;
  end if;
  update private.reports set announced_at = claimed where announced_at is null;
  return next json_build_object('claimed_at', claimed, 'operators', (
    select coalesce(json_agg(u.email order by u.email), '[]')
    from auth.users u
    where u.raw_app_meta_data ->> 'role' = 'operator' and u.email <> ''
      and (u.banned_until is null or u.banned_until <= now())));
end
$$;

-- Undoes a claim whose email no operator got. Returns nothing.
create function public.release_report_email(claimed_at timestamptz) returns setof json
  language plpgsql security definer set search_path = '' as $$
begin
  update private.reports set announced_at = null where announced_at = claimed_at;
  update private.report_emails set sent_at = '-infinity' where sent_at = claimed_at;
end
$$;

revoke execute on function private.remove_reports, private.add_report_trigger, private.describe_reported,
  public.add_report, public.list_reports, public.end_reports, public.remove_old_reports, public.claim_report_email,
  public.release_report_email from public, anon, authenticated;
grant execute on function public.add_report, public.list_reports, public.end_reports, public.remove_old_reports,
  public.claim_report_email, public.release_report_email to service_role;
