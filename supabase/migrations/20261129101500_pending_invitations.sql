-- With a Supabase project, the project creates the account after `request_invitation` has taken a place. A form that was sent
-- twice took two places for one person, because the second request didn't find the account yet.

alter table private.invitation_emails
  -- True if the site has asked a Supabase project to create the account, and the project has not reported a failure.
  add column is_pending boolean not null default false;

/*
 * Decides whether a link sends an email to an address, and records it. Returns the outcome:
 * `closed` (no such open link), `client` (the client's limit, with the seconds until the next email), `address` (the
 * address's limit), `link` (the link's limit), `known` (the address has an account) or `new`. With `by_project`, a Supabase
 * project creates the account and sends the email, so a new address takes a place immediately (`takes_place`). An
 * unconfirmed account also counts as `new`, because the project sends it another email. It takes no further place.
 * The project creates the account after this function has returned. Until then, the outcome for the same address is
 * `pending`, for at most a minute: a form that is sent twice takes one place.
 */
create or replace function public.request_invitation(
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
create or replace function public.return_place(link_id uuid, address text) returns setof json
  language sql volatile security definer set search_path = '' as $$
  update private.invitation_emails set is_pending = false where link_id = $1 and email = $2;
  update private.invitation_links link set used = greatest(used - 1, 0)
  where id = $1 and not exists (
    select from auth.users u where u.email = $2 and not u.is_sso_user and u.email_confirmed_at is null)
  returning private.describe_link(link)
$$;
