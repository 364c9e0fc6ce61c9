import type { ClientBase } from "pg";
import { digest } from "../opaque-tokens.ts";

export async function storeProviderSession(
  client: ClientBase,
  sessionId: string,
  provider: string,
  credential: string,
): Promise<void> {
  const text = "insert into auth.provider_sessions (session_id, provider, credential) values ($1, $2, $3)";
  await client.query(text, [sessionId, provider, credential]);
}

export interface DueCheck {
  sessionId: string;
  /** Encrypted (see oidc/encryption.ts). */
  credential: string;
  /** The provider has not confirmed the session for a day. */
  isOverdue: boolean;
}

const CLAIM = `update auth.provider_sessions p set checked_at = now()
  from auth.refresh_tokens t
  where t.token = $1 and t.session_id = p.session_id and p.checked_at <= now() - interval '1 hour'
  returning p.session_id as "sessionId", p.credential, p.confirmed_at <= now() - interval '1 day' as "isOverdue"`;

/**
 * Returns the session of a refresh token if its check with the provider is due, and otherwise undefined. Only one of
 * several simultaneous requests gets the session: a provider that receives a refresh token twice may end the sign-in.
 */
export async function claimDueCheck(client: ClientBase, refreshToken: string): Promise<DueCheck | undefined> {
  return (await client.query<DueCheck>(CLAIM, [digest(refreshToken)])).rows[0];
}

/** Returns the session's member, or undefined if it has ended. */
export async function confirmProviderSession(
  client: ClientBase,
  sessionId: string,
  credential: string,
): Promise<string | undefined> {
  const text = `update auth.provider_sessions p set credential = $2, confirmed_at = now()
    from auth.sessions s where p.session_id = $1 and s.id = p.session_id returning s.user_id as "userId"`;
  return (await client.query<{ userId: string }>(text, [sessionId, credential])).rows[0]?.userId;
}

/** Ends the session of a refresh token unless the member signed in at a provider. */
export async function endPasswordSession(client: ClientBase, refreshToken: string): Promise<void> {
  const text = `delete from auth.sessions s using auth.refresh_tokens t
    where t.token = $1 and s.id = t.session_id
      and not exists (select from auth.provider_sessions p where p.session_id = s.id)`;
  await client.query(text, [digest(refreshToken)]);
}

export async function endSession(client: ClientBase, sessionId: string): Promise<void> {
  await client.query("delete from auth.sessions where id = $1", [sessionId]);
}

interface ProviderPerson {
  provider: string;
  issuer: string;
  subject: string;
}

const SESSIONS_OF = `select p.session_id as "sessionId", p.credential
  from auth.identities i join auth.sessions s on s.user_id = i.user_id
    join auth.provider_sessions p on p.session_id = s.id and p.provider = i.provider
  where i.provider = $1 and i.provider_id = $2 and i.identity_data ->> 'iss' = $3`;

/** Returns the sessions that a person began at a provider. */
export async function providerSessionsOf(
  client: ClientBase,
  { provider, issuer, subject }: ProviderPerson,
): Promise<Omit<DueCheck, "isOverdue">[]> {
  const values = [provider, subject, issuer];
  return (await client.query<Omit<DueCheck, "isOverdue">>(SESSIONS_OF, values)).rows;
}
