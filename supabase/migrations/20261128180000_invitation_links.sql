-- Invitation links (contract): a link that several people can join with. The server calls these functions with the service
-- key. Codes and tokens are 256 random bits, and the tables contain only their SHA-256 digests.

create table private.invitation_links (
  id uuid primary key default gen_random_uuid(),
  code_digest text not null unique,
  people integer not null check (people between 1 and 500),
  -- The places that are taken.
  used integer not null default 0 check (used between 0 and people),
  -- How many emails the link has sent.
  emails integer not null default 0,
  -- Only addresses at these domains can join. Empty for addresses at any domain.
  domains text[] not null default '{}',
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  closed_at timestamptz
);

-- The emails that links have sent in the last 24 hours. The address has no account until its owner opens the email.
create table private.invitation_emails (
  id uuid primary key default gen_random_uuid(),
  link_id uuid not null references private.invitation_links (id) on delete cascade,
  email text not null,
  -- The network address that asked for the email.
  client text not null,
  -- Null once the email has been used, and for an email that creates no account.
  token_digest text unique,
  sent_at timestamptz not null default now(),
  -- True if the site has asked a Supabase project to create the account, and the project has not reported a failure.
  is_pending boolean not null default false
);

create index invitation_emails_link_id_idx on private.invitation_emails (link_id);
create index invitation_emails_email_idx on private.invitation_emails (email, sent_at);
create index invitation_emails_client_idx on private.invitation_emails (client, sent_at);
create index invitation_emails_sent_at_idx on private.invitation_emails (sent_at);

revoke all on private.invitation_links, private.invitation_emails from public, anon, authenticated, service_role;

-- Whether the link's page accepts addresses.
create function private.accepts_addresses(link private.invitation_links) returns boolean
  language sql stable set search_path = '' as $$
  select link.closed_at is null and link.expires_at > now() and link.used < link.people
$$;

create function private.describe_link(link private.invitation_links) returns json
  language sql stable set search_path = '' as $$
  select json_build_object('id', link.id, 'people', link.people, 'used', link.used, 'domains', link.domains,
    'created_at', link.created_at, 'expires_at', link.expires_at)
$$;

/* Removes what nobody can use any more, and returns how many rows that were. At most 1,000 of each table. */
create function private.remove_old_invitations() returns integer
  language plpgsql security definer set search_path = '' as $$
declare
  old_emails integer;
  old_links integer;
begin
  delete from private.invitation_emails where id in (
    select id from private.invitation_emails where sent_at < now() - interval '1 day' limit 1000 for update skip locked);
  get diagnostics old_emails = row_count;
  -- An email can be used for a day after its link has expired.
  delete from private.invitation_links where id in (
    select id from private.invitation_links where least(expires_at, closed_at) < now() - interval '2 days'
    limit 1000 for update skip locked);
  get diagnostics old_links = row_count;
  return old_emails + old_links;
end
$$;

create function public.create_invitation_link(code_digest text, people integer, days integer, domains text[] default '{}')
  returns setof json language plpgsql security definer set search_path = '' as $$
begin
  perform private.remove_old_invitations();
  return query
    insert into private.invitation_links as link (code_digest, people, domains, expires_at)
    values ($1, $2, $4, now() + make_interval(days => $3))
    returning private.describe_link(link);
end
$$;

/* Returns the links that are neither closed nor expired, newest first. */
create function public.list_invitation_links() returns setof json
  language sql stable security definer set search_path = '' as $$
  select private.describe_link(link) from private.invitation_links link
  where closed_at is null and expires_at > now()
  order by created_at desc, id
$$;

/* Returns the link, or nothing if it isn't open. The links in its emails stop working, too. */
create function public.close_invitation_link(link_id uuid) returns setof json
  language sql volatile security definer set search_path = '' as $$
  update private.invitation_links link set closed_at = now()
  where id = $1 and closed_at is null and expires_at > now()
  returning private.describe_link(link)
$$;

/* Returns the link with this code if its page accepts addresses. */
create function public.find_invitation_link(code_digest text) returns setof json
  language sql stable security definer set search_path = '' as $$
  select private.describe_link(link) from private.invitation_links link
  where link.code_digest = $1 and private.accepts_addresses(link)
$$;

/*
 * Decides whether a link sends an email to an address, and records it. Returns the outcome:
 * `closed` (no such open link), `client` (the client's limit, with the seconds until the next email), `address` (the
 * address's limit), `link` (the link's limit), `known` (the address has an account) or `new`. With `by_project`, a Supabase
 * project creates the account and sends the email, so a new address takes a place immediately (`takes_place`). An
 * unconfirmed account also counts as `new`, because the project sends it another email. It takes no further place.
 * The project creates the account after this function has returned. Until then, the outcome for the same address is
 * `pending`, for at most a minute: a form that is sent twice takes one place.
 */
create function public.request_invitation(
  code_digest text,
  address text,
  client text,
  token_digest text default null,
  by_project boolean default false
) returns setof json language plpgsql security definer set search_path = '' as $$
declare
  link private.invitation_links;
  is_known boolean;
  takes_place boolean;
  wait_seconds integer;
begin
  perform private.remove_old_invitations();
  -- The locks make simultaneous requests run one after the other: those of a link, of a client and of an address.
  select * into link from private.invitation_links l where l.code_digest = $1 for update;
  if link.id is null or not private.accepts_addresses(link) then
    return query select json_build_object('outcome', 'closed');
    return;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('invitation client ' || $3, 0));
  perform pg_advisory_xact_lock(hashtextextended('invitation address ' || $2, 0));
  select ceil(extract(epoch from sent_at + interval '1 hour' - now())) into wait_seconds
  from private.invitation_emails e where e.client = $3 and sent_at > now() - interval '1 hour'
  order by sent_at desc offset 9 limit 1;
  if wait_seconds is not null then
    return query select json_build_object('outcome', 'client', 'seconds', greatest(wait_seconds, 1));
    return;
  end if;
  if (select count(*) from private.invitation_emails e where e.email = $2 and sent_at > now() - interval '1 day') >= 3 then
    return query select json_build_object('outcome', 'address');
    return;
  end if;
  if link.emails >= 3 * link.people then
    return query select json_build_object('outcome', 'link');
    return;
  end if;
  select coalesce(bool_or(u.email_confirmed_at is not null or not by_project), false), by_project and count(*) = 0
    into is_known, takes_place
  from auth.users u where u.email = $2 and not u.is_sso_user;
  if takes_place and exists (
    select from private.invitation_emails e
    where e.email = $2 and is_pending and sent_at > now() - interval '1 minute') then
    return query select json_build_object('outcome', 'pending');
    return;
  end if;
  insert into private.invitation_emails (link_id, email, client, token_digest, is_pending)
  values (link.id, $2, $3, case when not is_known then $4 end, takes_place);
  update private.invitation_links l set emails = l.emails + 1,
    used = l.used + case when takes_place then 1 else 0 end
  where l.id = link.id;
  return query select json_build_object('outcome', case when is_known then 'known' else 'new' end, 'link', link.id,
    'takes_place', takes_place);
end
$$;

/*
 * Gives back a place that `request_invitation` took, because the project reported no success. Returns nothing if the project has
 * created the account anyway, as after a timeout: the place then stays taken.
 */
create function public.return_place(link_id uuid, address text) returns setof json
  language sql volatile security definer set search_path = '' as $$
  update private.invitation_emails set is_pending = false where link_id = $1 and email = $2;
  update private.invitation_links link set used = greatest(used - 1, 0)
  where id = $1 and not exists (
    select from auth.users u where u.email = $2 and not u.is_sso_user and u.email_confirmed_at is null)
  returning private.describe_link(link)
$$;

/* Returns the address that an unused email was sent to, and whether a place is left for it. */
create function private.find_invitation(token_digest text, out email text, out has_place boolean)
  language sql stable security definer set search_path = '' as $$
  select e.email, link.used < link.people
  from private.invitation_emails e join private.invitation_links link on link.id = e.link_id
  where e.token_digest = $1 and e.sent_at > now() - interval '1 day' and link.closed_at is null
$$;

/*
 * Takes a place for the account `user_id`, which the same transaction creates. Returns the email address like
 * find_invitation, or nulls if the email can't be used. All emails to the address become unusable.
 */
create function private.take_place(token_digest text, user_id uuid, out email text, out has_place boolean)
  language plpgsql security definer set search_path = '' as $$
declare
  pending private.invitation_emails;
begin
  select e.* into pending from private.invitation_emails e
  where e.token_digest = $1 and e.sent_at > now() - interval '1 day' for update;
  -- The update waits for simultaneous ones, and then sees how many places they have taken.
  update private.invitation_links link set used = used + 1
  where id = pending.link_id and closed_at is null and used < people;
  has_place := found;
  if not has_place then
    select f.email into email from private.find_invitation($1) f;
    return;
  end if;
  email := pending.email;
  update private.invitation_emails e set token_digest = null where e.email = pending.email;
  insert into public.operator_log (operator_id, operator, action, target, details)
  values (user_id, email, 'member.joined', email, json_build_object('type', 'member', 'id', user_id, 'link', pending.link_id));
end
$$;

revoke execute on function private.accepts_addresses, private.describe_link, private.remove_old_invitations,
  private.find_invitation, private.take_place from public;
revoke execute on function public.create_invitation_link, public.list_invitation_links, public.close_invitation_link,
  public.find_invitation_link, public.request_invitation, public.return_place from public, anon, authenticated;
grant execute on function public.create_invitation_link, public.list_invitation_links, public.close_invitation_link,
  public.find_invitation_link, public.request_invitation, public.return_place to service_role;
-- The built-in sign-in service creates accounts with this role.
grant usage on schema private to supabase_auth_admin;
grant execute on function private.find_invitation, private.take_place, private.remove_old_invitations
  to supabase_auth_admin;
