import type { ClientBase } from "pg";
import { digest, nextToken } from "../opaque-tokens.ts";

interface NewRefreshToken {
  sessionId: string;
  userId: string;
  token: string;
  parent?: string;
}

export async function storeRefreshToken(client: ClientBase, refreshToken: NewRefreshToken): Promise<void> {
  const { sessionId, userId, token, parent } = refreshToken;
  const text = `insert into auth.refresh_tokens (instance_id, token, user_id, revoked, created_at, updated_at, parent, session_id)
    values ('00000000-0000-0000-0000-000000000000', $1, $2, false, now(), now(), $3, $4)`;
  const parentDigest = parent === undefined ? null : digest(parent);
  await client.query(text, [digest(token), userId, parentDigest, sessionId]);
}

export interface OpenSession {
  id: string;
  refreshToken: string;
}

export type Refreshed =
  | { outcome: "refreshed"; userId: string; session: OpenSession }
  | { outcome: "unknown" | "reused" | "expired" | "banned" };

interface LockedSession {
  id: string;
  userId: string;
  key: string | null;
  isExpired: boolean;
  isBanned: boolean;
}

interface PresentedToken {
  id: string;
  revoked: boolean;
  isRepeatable: boolean;
}

// Only digests are stored. A successor is derived from the session's key and the token before it, so that whoever has
// that token can be told it again, and nobody who has only read the database.
export async function refreshSession(client: ClientBase, token: string): Promise<Refreshed> {
  const session = await lockSession(client, token);
  if (!session?.key) return { outcome: "unknown" };
  if (session.isBanned) return { outcome: "banned" };
  if (session.isExpired) return { outcome: "expired" };
  const presented = await findToken(client, session.id, token);
  if (!presented) return { outcome: "unknown" };
  if (presented.revoked && !presented.isRepeatable) {
    await client.query("delete from auth.sessions where id = $1", [session.id]);
    return { outcome: "reused" };
  }
  const current = nextToken(session.key, token);
  if (!presented.revoked) {
    const revoke = "update auth.refresh_tokens set revoked = true, updated_at = now() where id = $1";
    await client.query(revoke, [presented.id]);
    const { id: sessionId, userId } = session;
    await storeRefreshToken(client, { sessionId, userId, token: current, parent: token });
  }
  await markRefreshed(client, session.id);
  return { outcome: "refreshed", userId: session.userId, session: { id: session.id, refreshToken: current } };
}

/** The lock makes requests with tokens of one session take turns. */
async function lockSession(client: ClientBase, token: string): Promise<LockedSession | undefined> {
  const text = `select s.id, s.user_id as "userId", s.refresh_token_hmac_key as key,
      coalesce(s.not_after <= now(), false) as "isExpired", coalesce(u.banned_until > now(), false) as "isBanned"
    from auth.sessions s join auth.users u on u.id = s.user_id
    where s.id = (select session_id from auth.refresh_tokens where token = $1) and u.deleted_at is null
    for update of s`;
  return (await client.query<LockedSession>(text, [digest(token)])).rows[0];
}

/** A used token still yields its successor for 10 seconds: several tabs refresh at once, or an answer got lost. */
async function findToken(
  client: ClientBase,
  sessionId: string,
  token: string,
): Promise<PresentedToken | undefined> {
  const text = `select t.id, t.revoked, t.updated_at >= now() - interval '10 seconds'
      and 1 = (select count(*) from auth.refresh_tokens later
        where later.session_id = t.session_id and later.id > t.id) as "isRepeatable"
    from auth.refresh_tokens t where t.token = $2 and t.session_id = $1`;
  return (await client.query<PresentedToken>(text, [sessionId, digest(token)])).rows[0];
}

async function markRefreshed(client: ClientBase, id: string): Promise<void> {
  await client.query("update auth.sessions set refreshed_at = now(), updated_at = now() where id = $1", [id]);
}
