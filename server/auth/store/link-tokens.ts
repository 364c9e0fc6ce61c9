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

/** The stored form says what the token is for, so a token for one thing opens no other. */
function storedToken(kind: LinkKind, token: string): string {
  return digest(`${kind}:${token}`);
}

const STORE_TOKEN = `insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to)
  values (gen_random_uuid(), $1, $2, $3, $4)`;
const STORE_CODE = `insert into auth.flow_state (id, user_id, auth_code, code_challenge_method, code_challenge,
    provider_type, authentication_method, created_at, updated_at, auth_code_issued_at)
  values (gen_random_uuid(), $1, $2, $3, $4, 'recovery', 'recovery', now(), now(), now())`;

/** Ends the links of its kind that were sent before. With a challenge the token is a code. */
export async function createLinkToken(
  client: ClientBase,
  user: { id: string; email: string },
  kind: LinkKind,
  challenge?: Challenge,
): Promise<string> {
  const token = randomToken();
  const { type, sent } = KINDS[kind];
  // First, so that requests for one account take turns.
  await client.query(`update auth.users set ${sent} where id = $1`, [user.id]);
  await dropLinks(client, user.id, type);
  await (challenge
    ? client.query(STORE_CODE, [user.id, digest(token), challenge.method, challenge.value])
    : client.query(STORE_TOKEN, [user.id, type, storedToken(kind, token), user.email]));
  return token;
}

export async function dropLinks(client: ClientBase, userId: string, type?: string): Promise<void> {
  const text = `with codes as (delete from auth.flow_state where user_id = $1)
    delete from auth.one_time_tokens where user_id = $1 and ($2::text is null or token_type::text = $2)`;
  await client.query(text, [userId, type]);
}

export async function redeemLinkToken(
  client: ClientBase,
  kind: LinkKind,
  token: string,
): Promise<string | undefined> {
  const text = `delete from auth.one_time_tokens where token_hash = $1 and created_at >= now() - $2::interval
    returning user_id as "userId"`;
  const used = await client.query<{ userId: string }>(text, [storedToken(kind, token), KINDS[kind].lifetime]);
  return used.rows[0]?.userId;
}

interface IssuedCode {
  userId: string;
  challenge: Challenge;
  isExpired: boolean;
}

/** Uses the code up, unless the transaction is rolled back. */
export async function redeemCode(client: ClientBase, code: string): Promise<IssuedCode | undefined> {
  const text = `delete from auth.flow_state where auth_code = $1
    returning user_id as "userId", now() > auth_code_issued_at + interval '1 hour' as "isExpired",
      json_build_object('method', code_challenge_method, 'value', code_challenge) as challenge`;
  return (await client.query<IssuedCode>(text, [digest(code)])).rows[0];
}

type Answer = { code: string } | { token_hash: string; type: LinkKind };

/** Only the page redeems it: fetching the link does not use it up. */
export function pageLink(redirectTo: string, answer: Answer): string {
  const link = new URL(redirectTo);
  for (const [name, value] of Object.entries(answer)) link.searchParams.set(name, value);
  return link.href;
}
