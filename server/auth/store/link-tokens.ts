import type { ClientBase } from "pg";
import { digest, randomToken } from "../opaque-tokens.ts";
import type { Challenge } from "../pkce.ts";

const KINDS = {
  recovery: { type: "recovery_token", lifetime: "1 hour", sent: "recovery_sent_at = now()" },
  invite: {
    type: "confirmation_token",
    lifetime: "7 days",
    sent: "confirmation_sent_at = now(), invited_at = now()",
  },
};

export type LinkKind = keyof typeof KINDS;

export function isLinkKind(type: string): type is LinkKind {
  return Object.hasOwn(KINDS, type);
}

interface Recipient {
  id: string;
  email: string;
}

/** The digest includes the kind, so a token of one kind is never accepted as another. */
function storedToken(kind: LinkKind, token: string): string {
  return digest(`${kind}:${token}`);
}

const STORE_TOKEN = `insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to)
  values (gen_random_uuid(), $1, $2, $3, $4)`;

/**
 * Returns the token for a link that works in any browser. Earlier tokens stay valid until their own lifetime ends, so
 * that the links in earlier emails keep working.
 */
export async function createLinkToken(client: ClientBase, user: Recipient, kind: LinkKind): Promise<string> {
  const token = randomToken();
  await recordSending(client, user, kind);
  await client.query(STORE_TOKEN, [user.id, KINDS[kind].type, storedToken(kind, token), user.email]);
  return token;
}

const STORE_CODE = `insert into auth.flow_state (id, user_id, auth_code, code_challenge_method, code_challenge,
    provider_type, authentication_method, created_at, updated_at, auth_code_issued_at)
  values (gen_random_uuid(), $1, $2, $3, $4, 'recovery', 'recovery', now(), now(), now())`;

/**
 * Returns the code for a link that works only in the browser that has the challenge's verifier.
 * Earlier codes stay valid.
 */
export async function createLinkCode(
  client: ClientBase,
  user: Recipient,
  challenge: Challenge,
): Promise<string> {
  const code = randomToken();
  await recordSending(client, user, "recovery");
  await client.query(STORE_CODE, [user.id, digest(code), challenge.method, challenge.value]);
  return code;
}

const STORE_PROVIDER_CODE = `insert into auth.flow_state (id, user_id, auth_code, code_challenge_method, code_challenge,
    provider_type, provider_refresh_token, authentication_method, created_at, updated_at, auth_code_issued_at)
  values ($1, $2, $3, $4, $5, $6, $7, 'oauth', now(), now(), now()) on conflict (id) do nothing`;

interface ProviderCode {
  /** The id of the sign-in at the provider. */
  id: string;
  userId: string;
  challenge: Challenge;
  provider: string;
  /** The provider's token, encrypted (see oidc/encryption.ts). */
  encrypted: string;
}

/**
 * Returns the code that a client exchanges for its session after a sign-in at a provider. Returns undefined if the same
 * sign-in already has a code.
 */
export async function createProviderCode(
  client: ClientBase,
  { id, userId, challenge, provider, encrypted }: ProviderCode,
): Promise<string | undefined> {
  const code = randomToken();
  const values = [id, userId, digest(code), challenge.method, challenge.value, provider, encrypted];
  const { rowCount } = await client.query(STORE_PROVIDER_CODE, values);
  return rowCount === 1 ? code : undefined;
}

/** The update also locks the account's row, so that simultaneous requests for a link run one after the other. */
async function recordSending(client: ClientBase, user: Recipient, kind: LinkKind): Promise<void> {
  await client.query(`update auth.users set ${KINDS[kind].sent} where id = $1`, [user.id]);
}

/** Invalidates all links that were sent to an account. */
export async function dropLinks(client: ClientBase, userId: string): Promise<void> {
  const text = `with codes as (delete from auth.flow_state where user_id = $1)
    delete from auth.one_time_tokens where user_id = $1`;
  await client.query(text, [userId]);
}

/**
 * Makes the account's tokens of this kind unusable and returns the account's id, or undefined if the token is unknown,
 * used or expired.
 */
export async function redeemLinkToken(
  client: ClientBase,
  kind: LinkKind,
  token: string,
): Promise<string | undefined> {
  const { type, lifetime } = KINDS[kind];
  const text = `delete from auth.one_time_tokens where token_type::text = $3 and user_id = (
      select user_id from auth.one_time_tokens where token_hash = $1 and created_at >= now() - $2::interval for update)
    returning user_id as "userId"`;
  const used = await client.query<{ userId: string }>(text, [storedToken(kind, token), lifetime, type]);
  return used.rows[0]?.userId;
}

/**
 * Returns the email address of the token's account, but leaves the token usable.
 * Returns undefined if the token is unknown, used or expired.
 */
export async function findLinkToken(
  client: ClientBase,
  kind: LinkKind,
  token: string,
): Promise<LinkedAccount | undefined> {
  const text = `select u.email, u.raw_user_meta_data ->> 'full_name' as full_name, u.raw_user_meta_data ->> 'username' as username
    from auth.one_time_tokens t join auth.users u on u.id = t.user_id
    where t.token_hash = $1 and t.created_at >= now() - $2::interval`;
  const { rows } = await client.query<LinkedAccount>(text, [storedToken(kind, token), KINDS[kind].lifetime]);
  return rows[0];
}

/** The names are those that the operator has entered with the invitation, or null. */
interface LinkedAccount {
  email: string;
  full_name: string | null;
  username: string | null;
}

export interface IssuedCode {
  userId: string;
  challenge: Challenge;
  isExpired: boolean;
  /** `recovery` for the code of a link in an email, otherwise the provider at which the member signed in. */
  provider: string;
  /** The provider's token, encrypted. */
  encrypted: string | null;
}

const ISSUED_CODE = `user_id as "userId", provider_type as provider, provider_refresh_token as encrypted,
  now() > auth_code_issued_at
    + case provider_type when 'recovery' then interval '1 hour' else interval '5 minutes' end as "isExpired",
  json_build_object('method', code_challenge_method, 'value', code_challenge) as challenge`;

/**
 * Deletes the code, so that its link works only once. The code stays usable if the caller rolls the transaction back.
 */
export async function redeemCode(client: ClientBase, code: string): Promise<IssuedCode | undefined> {
  const text = `delete from auth.flow_state where auth_code = $1 returning ${ISSUED_CODE}`;
  return (await client.query<IssuedCode>(text, [digest(code)])).rows[0];
}

/** Like `redeemCode`, but leaves the code usable and also returns the account's email address. */
export async function findCode(
  client: ClientBase,
  code: string,
): Promise<(IssuedCode & { email: string }) | undefined> {
  const text = `select ${ISSUED_CODE}, (select email from auth.users u where u.id = user_id)
    from auth.flow_state where auth_code = $1`;
  return (await client.query<IssuedCode & { email: string }>(text, [digest(code)])).rows[0];
}

type LinkParameters = { code: string } | { token_hash: string; type: LinkKind | "join" };

/**
 * Returns the URL of the page whose script redeems the link. Merely fetching the page, as mail scanners do, leaves the
 * link usable.
 */
export function pageLink(redirectTo: string, parameters: LinkParameters): string {
  const link = new URL(redirectTo);
  for (const [name, value] of Object.entries(parameters)) link.searchParams.set(name, value);
  return link.href;
}
