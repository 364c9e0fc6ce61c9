import { randomUUID } from "node:crypto";
import type { ClientBase } from "pg";
import type { Tokens } from "../access-token.ts";
import { GoTrueError } from "../auth-error.ts";
import { randomToken } from "../opaque-tokens.ts";
import { type OpenSession, storeRefreshToken } from "./refresh-tokens.ts";
import { getUser, type User, userBody } from "./users.ts";

/** Specification §9. */
const ACCESS_TOKEN_SECONDS = 28_800;

export interface SignedIn {
  user: User;
  session: OpenSession;
}

export async function startSession(client: ClientBase, userId: string): Promise<SignedIn> {
  const seen = `update auth.users set last_sign_in_at = now(), updated_at = now() where id = $1
    returning banned_until > now() as "isBanned"`;
  const [account] = (await client.query<{ isBanned: boolean | null }>(seen, [userId])).rows;
  if (account?.isBanned) throw new GoTrueError(403, "user_banned", "User is banned");
  const user = await getUser(client, userId);
  const session = { id: randomUUID(), userId, refreshToken: randomToken() };
  const text = `insert into auth.sessions (id, user_id, aal, created_at, updated_at, refresh_token_hmac_key)
    values ($1, $2, 'aal1', now(), now(), $3)`;
  await client.query(text, [session.id, userId, randomToken()]);
  await storeRefreshToken(client, session);
  return { user, session };
}

export async function sessionBody(tokens: Tokens, issuer: string, { user, session }: SignedIn) {
  const iat = Math.floor(Date.now() / 1000);
  const exp = iat + ACCESS_TOKEN_SECONDS;
  const accessToken = await tokens.sign({
    iss: issuer,
    sub: user.id,
    // Never the account row's: whoever could write there would choose what the database allows them.
    aud: "authenticated",
    role: "authenticated",
    email: user.email,
    session_id: session.id,
    aal: "aal1",
    is_anonymous: false,
    iat,
    exp,
  });
  return {
    access_token: accessToken,
    token_type: "bearer",
    expires_in: ACCESS_TOKEN_SECONDS,
    expires_at: exp,
    refresh_token: session.refreshToken,
    user: userBody(user),
  };
}
