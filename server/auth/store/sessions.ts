import { randomUUID } from "node:crypto";
import type { ClientBase } from "pg";
import type { Tokens } from "../access-token.ts";
import { userBanned } from "../auth-error.ts";
import { digest, nextSecret, randomSecret } from "../secrets.ts";
import { getUser, type User, userBody } from "./users.ts";

/** How long an access token lives, in seconds (specification §9). */
const sessionSeconds = 28_800;

/** How long a refresh token that was just used is answered with its successor again. */
const reuseMilliseconds = 10_000;

/** Where a session is used from, as the account's owner could be shown it. */
export interface Device {
  address: string | undefined;
  userAgent: string | undefined;
}

/** A session and the refresh token that is its holder's now. */
export interface OpenSession {
  id: string;
  refreshToken: string;
}

/** An account that has just been signed in. */
export interface SignedIn {
  user: User;
  session: OpenSession;
}

/** Takes an account's id, starts a session for it, returns both. Throws 404 `user_not_found` and 403 `user_banned`. */
export async function startSession(
  client: ClientBase,
  userId: string,
  device: Device,
  now: Date,
): Promise<SignedIn> {
  const seen = "update auth.users set last_sign_in_at = $2, updated_at = $2 where id = $1";
  await client.query(seen, [userId, now]);
  const user = await getUser(client, userId);
  if (user.banned_until !== null && user.banned_until > now) throw userBanned();
  const session = { id: randomUUID(), refreshToken: randomSecret() };
  const text = `insert into auth.sessions (id, user_id, aal, created_at, updated_at, user_agent, ip, refresh_token_hmac_key)
    values ($1, $2, 'aal1', $3, $3, $4, $5, $6)`;
  await client.query(text, [session.id, userId, now, ...deviceValues(device), randomSecret()]);
  await storeRefreshToken(client, { id: session.id, userId }, session.refreshToken, null, now);
  return { user, session };
}

function deviceValues({ address, userAgent }: Device): [string | null, string | null] {
  return [userAgent?.slice(0, 500) ?? null, address ?? null];
}

async function storeRefreshToken(
  client: ClientBase,
  session: { id: string; userId: string },
  token: string,
  parent: string | null,
  now: Date,
): Promise<void> {
  const text = `insert into auth.refresh_tokens (instance_id, token, user_id, revoked, created_at, updated_at, parent, session_id)
    values ('00000000-0000-0000-0000-000000000000', $1, $2, false, $3, $3, $4, $5)`;
  await client.query(text, [digest(token), session.userId, now, parent && digest(parent), session.id]);
}

/** What became of a refresh token: its session goes on, or why it does not. */
export type Refreshed =
  | { outcome: "refreshed"; userId: string; session: OpenSession }
  | { outcome: "unknown" | "reused" | "expired" | "banned" };

interface LockedSession {
  id: string;
  userId: string;
  key: string | null;
  expired: boolean;
  banned: boolean;
}

interface PresentedToken {
  id: string;
  revoked: boolean;
  updatedAt: Date;
  successors: number;
}

/**
 * Takes a refresh token, replaces it, returns its session with the successor. A token that was replaced within
 * the last 10 seconds (several tabs, an answer that got lost) yields the same successor again; one replaced
 * longer ago was stolen from somebody, so its session ends.
 *
 * Only digests are stored. A successor is derived from the session's key and the token before it, so it can be
 * named again to whoever has that token, and to nobody who has read the database.
 */
export async function refreshSession(
  client: ClientBase,
  token: string,
  device: Device,
  now: Date,
): Promise<Refreshed> {
  const session = await lockSession(client, token, now);
  if (!session?.key) return { outcome: "unknown" };
  if (session.banned) return { outcome: "banned" };
  if (session.expired) return { outcome: "expired" };
  const presented = await findToken(client, session.id, token);
  if (!presented) return { outcome: "unknown" };
  if (presented.revoked && now.getTime() - presented.updatedAt.getTime() > reuseMilliseconds) {
    await client.query("delete from auth.sessions where id = $1", [session.id]);
    return { outcome: "reused" };
  }
  let current = token;
  for (let step = 0; step < presented.successors; step += 1) current = nextSecret(session.key, current);
  if (!presented.revoked) {
    current = nextSecret(session.key, token);
    await client.query("update auth.refresh_tokens set revoked = true, updated_at = $2 where id = $1", [
      presented.id,
      now,
    ]);
    await storeRefreshToken(client, session, current, token, now);
  }
  await markRefreshed(client, session.id, device, now);
  return {
    outcome: "refreshed",
    userId: session.userId,
    session: { id: session.id, refreshToken: current },
  };
}

/** Requests with tokens of one session take turns here. */
async function lockSession(client: ClientBase, token: string, now: Date): Promise<LockedSession | undefined> {
  const text = `select s.id, s.user_id as "userId", s.refresh_token_hmac_key as key,
      coalesce(s.not_after <= $2, false) as expired, coalesce(u.banned_until > $2, false) as banned
    from auth.sessions s join auth.users u on u.id = s.user_id
    where s.id = (select session_id from auth.refresh_tokens where token = $1) and u.deleted_at is null
    for update of s`;
  return (await client.query<LockedSession>(text, [digest(token), now])).rows[0];
}

async function findToken(
  client: ClientBase,
  session: string,
  token: string,
): Promise<PresentedToken | undefined> {
  const text = `select t.id, t.revoked, t.updated_at as "updatedAt",
      (select count(*)::int from auth.refresh_tokens later
        where later.session_id = t.session_id and later.id > t.id) as successors
    from auth.refresh_tokens t where t.token = $2 and t.session_id = $1`;
  return (await client.query<PresentedToken>(text, [session, digest(token)])).rows[0];
}

async function markRefreshed(client: ClientBase, session: string, device: Device, now: Date): Promise<void> {
  const text = `update auth.sessions set refreshed_at = $2::timestamptz at time zone 'utc', updated_at = $2,
    user_agent = $3, ip = $4 where id = $1`;
  await client.query(text, [session, now, ...deviceValues(device)]);
}

/** Which sessions a sign-out ends (GoTrue, internal/api/logout.go). */
export const signOutScopes = ["global", "local", "others"] as const;

export type SignOutScope = (typeof signOutScopes)[number];

/** Takes an account, the session that asks and a scope, ends those sessions. */
export async function endSessions(
  client: ClientBase,
  userId: string,
  sessionId: string,
  scope: SignOutScope,
): Promise<void> {
  const text = `delete from auth.sessions where user_id = $1
    and case $3 when 'local' then id = $2 when 'others' then id <> $2 else true end`;
  await client.query(text, [userId, sessionId, scope]);
}

/** Takes an account with its open session, returns the answer that signs a client in, access token and all. */
export async function sessionBody(tokens: Tokens, issuer: string, { user, session }: SignedIn, now: Date) {
  const issuedAt = Math.floor(now.getTime() / 1000);
  const expiresAt = issuedAt + sessionSeconds;
  const accessToken = await tokens.sign({
    iss: issuer,
    sub: user.id,
    // Never what the account's row says: whoever could write there would choose what the database lets him do.
    aud: "authenticated",
    role: "authenticated",
    email: user.email,
    session_id: session.id,
    aal: "aal1",
    is_anonymous: false,
    iat: issuedAt,
    exp: expiresAt,
  });
  return {
    access_token: accessToken,
    token_type: "bearer",
    expires_in: sessionSeconds,
    expires_at: expiresAt,
    refresh_token: session.refreshToken,
    user: userBody(user),
  };
}
