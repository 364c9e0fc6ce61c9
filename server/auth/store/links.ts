import { randomUUID } from "node:crypto";
import type { ClientBase } from "pg";
import type { Challenge } from "../pkce.ts";
import { digest, randomSecret } from "../secrets.ts";

/** What a link in a mail is for. */
export type LinkKind = "recovery" | "magiclink" | "invite" | "signup";

const kinds: readonly LinkKind[] = ["recovery", "magiclink", "invite", "signup"];

const hour = 3_600_000;
/** Recovery works for one hour; an invitation may wait for its reader's weekend to pass. */
const lifetimes: Record<LinkKind, number> = {
  recovery: hour,
  magiclink: hour,
  invite: 7 * 24 * hour,
  signup: 7 * 24 * hour,
};

/** Marks the tokens whose link leads to a code instead of a session (GoTrue, internal/api/pkce.go). */
export const pkcePrefix = "pkce_";

/** How long a code from a link may be exchanged (GoTrue: GOTRUE_EXTERNAL_FLOW_STATE_EXPIRY_DURATION). */
const codeLifetime = 300_000;

/** Takes the `type` of a request, returns the kinds of link that it means: `email` is any of them (GoTrue, internal/api/verify.go). */
export function linkKinds(type: string): readonly LinkKind[] {
  if (type === "email") return kinds;
  return kinds.filter((kind) => kind === type);
}

/** The stored form says what the token is for, so a token for one thing opens no other. */
function storedToken(kind: LinkKind, token: string): string {
  return digest(`${kind}:${token}`);
}

function columnType(kind: LinkKind): string {
  return kind === "recovery" || kind === "magiclink" ? "recovery_token" : "confirmation_token";
}

/**
 * Takes an account and what a link is for, stores a new token, returns it. A token sent before for the same
 * purpose dies. With a challenge the link leads to a code that only the challenger can use.
 */
export async function createLinkToken(
  client: ClientBase,
  user: { id: string; email: string },
  kind: LinkKind,
  challenge: Challenge | undefined,
  now: Date,
): Promise<string> {
  const token = `${challenge ? pkcePrefix : ""}${randomSecret()}`;
  const store = `insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to, created_at, updated_at)
    values ($1, $2, $3, $4, $5, $6::timestamptz at time zone 'utc', $6::timestamptz at time zone 'utc')
    on conflict (user_id, token_type) do update set token_hash = excluded.token_hash,
      relates_to = excluded.relates_to, created_at = excluded.created_at, updated_at = excluded.updated_at`;
  await client.query(store, [
    randomUUID(),
    user.id,
    columnType(kind),
    storedToken(kind, token),
    user.email,
    now,
  ]);
  const sent =
    columnType(kind) === "recovery_token"
      ? "recovery_sent_at = $2"
      : "confirmation_sent_at = $2, invited_at = case when $3 then $2 else invited_at end";
  await client.query(
    `update auth.users set ${sent} where id = $1`,
    columnType(kind) === "recovery_token" ? [user.id, now] : [user.id, now, kind === "invite"],
  );
  await client.query("delete from auth.flow_state where user_id = $1 and authentication_method = $2", [
    user.id,
    kind,
  ]);
  if (challenge) await storeChallenge(client, user.id, kind, challenge, now);
  return token;
}

async function storeChallenge(
  client: ClientBase,
  userId: string,
  kind: LinkKind,
  challenge: Challenge,
  now: Date,
): Promise<void> {
  const text = `insert into auth.flow_state (id, user_id, auth_code, code_challenge_method, code_challenge,
      provider_type, authentication_method, created_at, updated_at)
    values ($1, $2, $3, $4, $5, $6, $6, $7, $7)`;
  // No code is issued before the link is opened; until then nothing hashes to what stands in its place.
  const values = [randomUUID(), userId, randomSecret(), challenge.method, challenge.value, kind, now];
  await client.query(text, values);
}

/** A link that was opened: whose it is and what it was for. */
export interface OpenedLink {
  userId: string;
  kind: LinkKind;
}

/**
 * Takes a token, the kinds of link it may be for and, when the request names one, the e-mail it was sent to.
 * Returns the link, which thereby is used up; undefined when there is none, it has expired or it belongs to
 * another e-mail.
 */
export async function redeemLinkToken(
  client: ClientBase,
  token: string,
  allowed: readonly LinkKind[],
  email: string | undefined,
  now: Date,
): Promise<OpenedLink | undefined> {
  const hashes = new Map(allowed.map((kind) => [storedToken(kind, token), kind]));
  const text = `delete from auth.one_time_tokens
    where token_hash = any($1) and ($2::text is null or relates_to = $2)
    returning user_id, token_hash, created_at at time zone 'utc' as created_at`;
  const used = await client.query<{ user_id: string; token_hash: string; created_at: Date }>(text, [
    [...hashes.keys()],
    email ?? null,
  ]);
  const row = used.rows[0];
  const kind = hashes.get(row?.token_hash ?? "");
  if (!row || !kind || now.getTime() - row.created_at.getTime() > lifetimes[kind]) return undefined;
  return { userId: row.user_id, kind };
}

/** Takes an opened link that was asked for with a challenge, returns the code to exchange, undefined when the challenge is gone. */
export async function issueCode(
  client: ClientBase,
  link: OpenedLink,
  now: Date,
): Promise<string | undefined> {
  const code = randomSecret();
  const text = `update auth.flow_state set auth_code = $3, auth_code_issued_at = $4, updated_at = $4
    where user_id = $1 and authentication_method = $2`;
  const issued = await client.query(text, [link.userId, link.kind, digest(code), now]);
  return issued.rowCount === 1 ? code : undefined;
}

/** What a code stands for. */
export interface IssuedCode {
  id: string;
  userId: string;
  challenge: Challenge;
  expired: boolean;
}

/** Takes a code, returns what it stands for, locked until the transaction ends; undefined for an unknown one. */
export async function findCode(client: ClientBase, code: string, now: Date): Promise<IssuedCode | undefined> {
  const text = `select id, user_id as "userId", auth_code_issued_at as "issuedAt",
      json_build_object('method', code_challenge_method, 'value', code_challenge) as challenge
    from auth.flow_state where auth_code = $1 and auth_code_issued_at is not null and user_id is not null
    for update`;
  const found = await client.query<{ id: string; userId: string; issuedAt: Date; challenge: Challenge }>(
    text,
    [digest(code)],
  );
  const row = found.rows[0];
  return row && { ...row, expired: now.getTime() - row.issuedAt.getTime() > codeLifetime };
}

/** Takes a code's record, removes it: a code works once. */
export async function dropCode(client: ClientBase, id: string): Promise<void> {
  await client.query("delete from auth.flow_state where id = $1", [id]);
}

/** Takes the site's address and a link's particulars, returns the link through `GET /verify` (GoTrue, mailer/templatemailer). */
export function verifyLink(siteUrl: string, kind: LinkKind, token: string, redirectTo: string): string {
  const query = new URLSearchParams({ token, type: kind, redirect_to: redirectTo });
  return `${siteUrl}/auth/v1/verify?${query}`;
}

/**
 * Takes where to land and a link's particulars, returns the link straight to that page, which hands in the token
 * itself (`verifyOtp({ token_hash, type })`). It works in any browser, and a mail scanner that follows it uses
 * nothing up.
 */
export function pageLink(redirectTo: string, kind: LinkKind, token: string): string {
  const link = new URL(redirectTo);
  link.searchParams.set("token_hash", token);
  link.searchParams.set("type", kind);
  return link.href;
}
