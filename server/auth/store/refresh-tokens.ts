import type { ClientBase } from "pg";
import { GoTrueError } from "../auth-error.ts";
import { digest, nextToken } from "../opaque-tokens.ts";

export interface OpenSession {
  id: string;
  userId: string;
  refreshToken: string;
  /** When the member signed in. A refresh doesn't change it. */
  signedInAt: Date;
  /** How the member signed in, in the words of GoTrue's claim `amr`. Links from emails count as passwords. */
  method: "password" | "oauth" | "passkey";
}

async function storeRefreshToken(
  client: ClientBase,
  { id, userId, refreshToken }: Pick<OpenSession, "id" | "userId" | "refreshToken">,
): Promise<void> {
  const text = `insert into auth.refresh_tokens (instance_id, token, user_id, revoked, created_at, updated_at, session_id)
    values ('00000000-0000-0000-0000-000000000000', $1, $2, false, now(), now(), $3)`;
  await client.query(text, [digest(refreshToken), userId, id]);
}

const LOCK = `select from auth.sessions
  where id = (select session_id from auth.refresh_tokens where token = $1) for update`;

/**
 * For 10 seconds, a used token can be exchanged again for the same successor, unless that successor has been used too.
 * Tabs may refresh simultaneously, and responses can get lost.
 */
const FIND = `select t.id, t.revoked, s.id as "sessionId", s.user_id as "userId", s.refresh_token_hmac_key as key,
    s.created_at as "signedInAt",
    case when exists (select from auth.provider_sessions p where p.session_id = s.id) then 'oauth'
      else coalesce((select c.authentication_method from auth.mfa_amr_claims c where c.session_id = s.id), 'password')
      end as method,
    t.updated_at >= now() - interval '10 seconds' and 1 = (select count(*) from auth.refresh_tokens later
      where later.session_id = s.id and later.id > t.id) as "isRepeatable"
  from auth.refresh_tokens t join auth.sessions s on s.id = t.session_id
  where t.token = $1 and s.refresh_token_hmac_key is not null and auth.session_is_live(s.id, s.user_id)`;

interface PresentedToken {
  id: string;
  revoked: boolean;
  sessionId: string;
  userId: string;
  key: string;
  signedInAt: Date;
  method: OpenSession["method"];
  isRepeatable: boolean;
}

/**
 * Exchanges a refresh token for its successor. If the token was used before and its successor can't be returned again,
 * the token may have been stolen. The function then ends the session and returns undefined. The caller must commit the
 * transaction even then, because a rollback would restore the session.
 *
 * The successor is derived from the session's key and the used token, so it can be sent again even though the database
 * stores only digests.
 */
export async function refreshSession(client: ClientBase, token: string): Promise<OpenSession | undefined> {
  await client.query(LOCK, [digest(token)]);
  const [presented] = (await client.query<PresentedToken>(FIND, [digest(token)])).rows;
  if (!presented) {
    const message = "Invalid Refresh Token: Refresh Token Not Found";
    throw new GoTrueError(400, "refresh_token_not_found", message);
  }
  const { id, revoked, sessionId, userId, key, signedInAt, method, isRepeatable } = presented;
  if (revoked && !isRepeatable) {
    await client.query("delete from auth.sessions where id = $1", [sessionId]);
    return undefined;
  }
  const session = { id: sessionId, userId, refreshToken: nextToken(key, token), signedInAt, method };
  if (!revoked) {
    const use = "update auth.refresh_tokens set revoked = true, updated_at = now() where id = $1";
    await client.query(use, [id]);
    await storeRefreshToken(client, session);
  }
  const recordRefresh = "update auth.sessions set refreshed_at = now(), updated_at = now() where id = $1";
  await client.query(recordRefresh, [sessionId]);
  return session;
}
