import type { ClientBase } from "pg";
import { digest, randomToken } from "../opaque-tokens.ts";
import type { Challenge } from "../pkce.ts";
import { dropCodes, storeChallenge } from "./codes.ts";

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

/** Marks the tokens whose link leads to a code instead of a session (GoTrue, internal/api/pkce.go). */
export const PKCE_PREFIX = "pkce_";

/** The stored form says what the token is for, so a token for one thing opens no other. */
function storedToken(kind: LinkKind, token: string): string {
  return digest(`${kind}:${token}`);
}

interface NewLink {
  user: { id: string; email: string };
  kind: LinkKind;
  challenge?: Challenge | undefined;
}

export async function createLinkToken(
  client: ClientBase,
  { user, kind, challenge }: NewLink,
): Promise<string> {
  const token = `${challenge ? PKCE_PREFIX : ""}${randomToken()}`;
  const { type, sent } = KINDS[kind];
  const store = `insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to)
    values (gen_random_uuid(), $1, $2, $3, $4)
    on conflict (user_id, token_type) do update set token_hash = excluded.token_hash,
      relates_to = excluded.relates_to, created_at = excluded.created_at, updated_at = excluded.updated_at`;
  await client.query(store, [user.id, type, storedToken(kind, token), user.email]);
  await client.query(`update auth.users set ${sent} where id = $1`, [user.id]);
  await dropCodes(client, user.id);
  if (challenge) await storeChallenge(client, user.id, challenge);
  return token;
}

interface Presented {
  token: string;
  kind: LinkKind;
  email?: string | undefined;
}

/** Uses the link up and returns whose it was; undefined when it is unknown, expired or another e-mail's. */
export async function redeemLinkToken(
  client: ClientBase,
  { token, kind, email }: Presented,
): Promise<string | undefined> {
  const text = `delete from auth.one_time_tokens
    where token_hash = $1 and ($2::text is null or relates_to = $2) and created_at >= now() - $3::interval
    returning user_id as "userId"`;
  const used = await client.query<{ userId: string }>(text, [
    storedToken(kind, token),
    email ?? null,
    KINDS[kind].lifetime,
  ]);
  return used.rows[0]?.userId;
}

interface Link {
  kind: LinkKind;
  token: string;
  redirectTo: string;
}

/** The link through `GET /verify` (GoTrue, mailer/templatemailer). */
export function verifyLink(siteUrl: string, { kind, token, redirectTo }: Link): string {
  const query = new URLSearchParams({ token, type: kind, redirect_to: redirectTo });
  return `${siteUrl}/auth/v1/verify?${query}`;
}

/** The link straight to a page that calls `verifyOtp`. It works in any browser, and mail scanners do not use it up. */
export function pageLink({ kind, token, redirectTo }: Link): string {
  const link = new URL(redirectTo);
  link.searchParams.set("token_hash", token);
  link.searchParams.set("type", kind);
  return link.href;
}
