import type { ClientBase } from "pg";

/** An account at an identity provider. `data` includes the issuer (`iss`), and is shown to the member and to operators. */
export interface ProviderAccount {
  provider: string;
  issuer: string;
  subject: string;
  data: Record<string, unknown>;
}

/** Prevents two simultaneous first sign-ins with one address from creating or linking two accounts. */
export async function lockAddress(client: ClientBase, email: string): Promise<void> {
  await client.query("select pg_advisory_xact_lock(hashtextextended('auth.identities ' || $1, 0))", [email]);
}

/** Returns the id of the member to whom the account at the provider is linked. */
export async function findLinkedMember(
  client: ClientBase,
  { provider, issuer, subject }: ProviderAccount,
): Promise<string | undefined> {
  const text = `select user_id as id from auth.identities
    where provider = $1 and provider_id = $2 and identity_data ->> 'iss' = $3`;
  return (await client.query<{ id: string }>(text, [provider, subject, issuer])).rows[0]?.id;
}

export interface Candidate {
  id: string;
  isConfirmed: boolean;
  /** Whether the member is linked to another account of the same issuer. */
  isTaken: boolean;
}

/** Finds the member with this address, to link an account at the provider that isn't linked yet. */
export async function findCandidate(
  client: ClientBase,
  email: string,
  { provider, issuer }: ProviderAccount,
): Promise<Candidate | undefined> {
  const text = `select id, email_confirmed_at is not null as "isConfirmed", exists (
      select from auth.identities i
      where i.user_id = u.id and i.provider = $2 and i.identity_data ->> 'iss' = $3) as "isTaken"
    from auth.users u where u.email = $1 and not u.is_sso_user and u.deleted_at is null for no key update`;
  return (await client.query<Candidate>(text, [email, provider, issuer])).rows[0];
}

const CONFIRM = `update auth.users set email_confirmed_at = now(), encrypted_password = null, updated_at = now()
  where id = $1`;

/**
 * Confirms an address that the provider has verified. Removes the password, the passkeys and all sessions of an
 * unconfirmed account, because the person who set them may not own the address.
 */
export async function takeOverUnconfirmed(client: ClientBase, userId: string): Promise<void> {
  await client.query(CONFIRM, [userId]);
  await client.query("delete from auth.webauthn_credentials where user_id = $1", [userId]);
  await client.query("delete from auth.sessions where user_id = $1", [userId]);
}

// A conflict is either the same account, or one of an earlier issuer that happens to have the same subject.
const LINK = `insert into auth.identities (provider, provider_id, user_id, identity_data,
    last_sign_in_at, created_at, updated_at)
  values ($1, $2, $3, $4, now(), now(), now())
  on conflict (provider_id, provider) do update set user_id = excluded.user_id,
    identity_data = excluded.identity_data, last_sign_in_at = now(), updated_at = now()`;
const DROP_EARLIER_ISSUERS = `delete from auth.identities
  where user_id = $1 and provider = $2 and identity_data ->> 'iss' is distinct from $3`;

/** Links the account to the member, or records its sign-in if it is linked already. */
export async function linkAccount(
  client: ClientBase,
  userId: string,
  { provider, issuer, subject, data }: ProviderAccount,
): Promise<void> {
  await client.query(LINK, [provider, subject, userId, { ...data, sub: subject, iss: issuer }]);
  await client.query(DROP_EARLIER_ISSUERS, [userId, provider, issuer]);
  await listProviders(client, userId);
}

/** Removes the member's accounts at providers, and ends all sessions. */
export async function unlinkAccounts(client: ClientBase, userId: string): Promise<void> {
  await client.query("delete from auth.identities where user_id = $1 and provider <> 'email'", [userId]);
  await client.query("delete from auth.sessions where user_id = $1", [userId]);
  await listProviders(client, userId);
}

/** Stores the member's ways to sign in where GoTrue's clients read them: in `app_metadata.providers`. */
export async function listProviders(client: ClientBase, userId: string): Promise<void> {
  const text = `update auth.users u set raw_app_meta_data = coalesce(raw_app_meta_data, '{}')
      || jsonb_build_object('providers', (select jsonb_agg(distinct provider order by provider)
        from auth.identities i where i.user_id = u.id))
    where id = $1 and exists (select from auth.identities i where i.user_id = u.id)`;
  await client.query(text, [userId]);
}

const SET_OPERATOR = `update auth.users set updated_at = now(), raw_app_meta_data = case when $2
      then coalesce(raw_app_meta_data, '{}') || '{"role": "operator"}' else raw_app_meta_data - 'role' end
  where id = $1 and coalesce(raw_app_meta_data ->> 'role' = 'operator', false) <> $2`;

/** Makes the member an operator, or an ordinary member. Returns whether that changed anything. */
export async function setOperator(client: ClientBase, userId: string, isOperator: boolean): Promise<boolean> {
  return (await client.query(SET_OPERATOR, [userId, isOperator])).rowCount === 1;
}
