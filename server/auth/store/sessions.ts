import type { ClientBase } from "pg";
import type { Tokens } from "../../api/access-token.ts";
import { GoTrueError, invalidCredentials, suspensionText } from "../auth-error.ts";
import { digest, randomToken } from "../opaque-tokens.ts";
import type { OpenSession } from "./refresh-tokens.ts";
import { getUser, suspendedUntil, type User, userBody } from "./users.ts";

/** Specified in docs/specification.txt, §9. */
const ACCESS_TOKEN_SECONDS = 28_800;
/** Members choose their metadata. A token with more wouldn't fit into the headers of requests. */
const MAX_METADATA_CHARACTERS = 2_000;

export interface SignedIn {
  user: User;
  session: OpenSession;
}

const START_SESSION = `select session_id as id, signed_in_at as "signedInAt", is_banned as "isBanned"
  from auth.start_session($1, $2, $3)`;

const RECORD_METHOD = `insert into auth.mfa_amr_claims (id, session_id, authentication_method, created_at, updated_at)
  values (gen_random_uuid(), $1, $2, now(), now())`;

export async function startSession(
  client: ClientBase,
  userId: string,
  method: OpenSession["method"] = "password",
): Promise<SignedIn> {
  const refreshToken = randomToken();
  const values = [userId, digest(refreshToken), randomToken()];
  const [row] = (await client.query<StartedSession>(START_SESSION, values)).rows as [StartedSession];
  const { isBanned, ...session } = row;
  if (isBanned) {
    // GoTrue's statuses.
    const status = method === "passkey" ? 403 : 400;
    throw new GoTrueError(status, "user_banned", suspensionText(await suspendedUntil(client, userId)));
  }
  if (method === "passkey") await client.query(RECORD_METHOD, [session.id, method]);
  const user = await getUser(client, userId);
  return { user, session: { ...session, userId, refreshToken, method } };
}

interface StartedSession {
  id: string;
  signedInAt: Date;
  isBanned: boolean;
}

interface Credentials {
  id: string | null;
  /** Bcrypt hash of the password. */
  hash: string | null;
}

export async function findCredentials(client: ClientBase, email: string | undefined): Promise<Credentials> {
  const text = `select id, encrypted_password as hash from auth.users
    where email = $1 and not is_sso_user and deleted_at is null`;
  return (await client.query<Credentials>(text, [email])).rows[0] ?? { id: null, hash: null };
}

/**
 * Checks again that the account has this password hash, because it may have changed while the password was being
 * checked.
 */
export async function startSessionWithPassword(
  client: ClientBase,
  id: string | null,
  hash: string | null,
): Promise<SignedIn> {
  // Take the lock that startSession needs: with a weaker one, two simultaneous sign-ins to one account would deadlock.
  const text = `select id, email_confirmed_at is not null as confirmed from auth.users
    where id = $1 and encrypted_password = $2 for no key update`;
  const [unchanged] = (await client.query<{ id: string; confirmed: boolean }>(text, [id, hash])).rows;
  if (!unchanged) throw invalidCredentials();
  if (!unchanged.confirmed) throw new GoTrueError(400, "email_not_confirmed", "Email not confirmed");
  return startSession(client, unchanged.id);
}

const SCOPES = ["global", "local", "others"] as const;
type Scope = (typeof SCOPES)[number];

export function isScope(scope: string): scope is Scope {
  return SCOPES.some((supported) => supported === scope);
}

export async function endSessions(
  client: ClientBase,
  userId: string,
  sessionId: string,
  scope: Scope,
): Promise<void> {
  const text = `delete from auth.sessions where user_id = $1
    and case $3 when 'local' then id = $2 when 'others' then id <> $2 else true end`;
  await client.query(text, [userId, sessionId, scope]);
}

export async function sessionBody(tokens: Tokens, issuer: string, { user, session }: SignedIn) {
  const iat = Math.floor(Date.now() / 1000);
  const exp = iat + ACCESS_TOKEN_SECONDS;
  const accessToken = await tokens.sign({
    iss: issuer,
    sub: user.id,
    // Don't read `aud` and `role` from the account's row: anyone who could write to it could choose their own rights.
    aud: "authenticated",
    role: "authenticated",
    email: user.email,
    phone: "",
    session_id: session.id,
    aal: "aal1",
    // A refresh keeps both.
    amr: [{ method: session.method, timestamp: Math.floor(session.signedInAt.getTime() / 1000) }],
    app_metadata: user.app_metadata,
    user_metadata:
      JSON.stringify(user.user_metadata).length <= MAX_METADATA_CHARACTERS ? user.user_metadata : {},
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
