import { randomUUID } from "node:crypto";
import { type ClientBase, DatabaseError } from "pg";
import { emailExists, userExists, userNotFound } from "../auth-error.ts";
import { listProviders } from "./identities.ts";
import { dropLinks } from "./link-tokens.ts";

export interface User extends Record<string, unknown> {
  id: string;
  email: string;
  email_confirmed_at: Date | null;
  user_metadata: Record<string, unknown>;
  app_metadata: Record<string, unknown>;
  identities: { provider: string }[];
}

const COLUMNS = `u.id, u.aud, u.role, u.email, u.email_confirmed_at, u.invited_at, u.confirmation_sent_at,
  u.confirmed_at, u.recovery_sent_at, u.last_sign_in_at, u.created_at, u.updated_at, u.banned_until,
  coalesce(u.raw_app_meta_data, '{}') as app_metadata, coalesce(u.raw_user_meta_data, '{}') as user_metadata,
  (select coalesce(json_agg(json_build_object('identity_id', i.id, 'id', i.provider_id, 'user_id', i.user_id,
    'identity_data', i.identity_data, 'provider', i.provider, 'last_sign_in_at', i.last_sign_in_at,
    'created_at', i.created_at, 'updated_at', i.updated_at, 'email', i.email)), '[]')
    from auth.identities i where i.user_id = u.id) as identities`;

/** Omits null values, as GoTrue's internal/models/user.go does. */
export function userBody(user: User): Record<string, unknown> {
  const filled = Object.entries(user).filter(([, value]) => value !== null);
  return { ...Object.fromEntries(filled), phone: "", is_anonymous: false };
}

export async function findUserByEmail(client: ClientBase, email: string): Promise<User | undefined> {
  const text = `select ${COLUMNS} from auth.users u where u.email = $1 and not u.is_sso_user`;
  return (await client.query<User>(text, [email])).rows[0];
}

export interface SignedInAccount {
  email: string;
  /** The password's bcrypt hash, or null if the account has no password. */
  hash: string | null;
  /** Whether the session `sessionId` began within the last 15 minutes. Refreshing it doesn't count. */
  hasJustSignedIn: boolean;
}

/** An SQL condition on the session whose id is the parameter `$2`. */
export const HAS_JUST_SIGNED_IN = `exists (select from auth.sessions s
  where s.id = $2 and s.created_at > now() - interval '15 minutes')`;

export async function findAccount(
  client: ClientBase,
  id: string,
  sessionId: string | null = null,
): Promise<SignedInAccount | undefined> {
  const text = `select email, encrypted_password as hash, ${HAS_JUST_SIGNED_IN} as "hasJustSignedIn"
    from auth.users where id = $1`;
  return (await client.query<SignedInAccount>(text, [id, sessionId])).rows[0];
}

/** Returns the end of an account's suspension, or null if it is not suspended. */
export async function suspendedUntil(client: ClientBase, id: string): Promise<Date | null> {
  const text = "select banned_until as until from auth.users where id = $1 and banned_until > now()";
  return (await client.query<{ until: Date }>(text, [id])).rows[0]?.until ?? null;
}

export async function getUser(client: ClientBase, id: string): Promise<User> {
  const { rows } = await client.query<User>(`select ${COLUMNS} from auth.users u where u.id = $1`, [id]);
  const [user] = rows;
  if (!user) throw userNotFound();
  return user;
}

export async function listUsers(client: ClientBase, page: number, perPage: number) {
  const text = `select ${COLUMNS} from auth.users u order by u.created_at desc, u.id limit $1 offset $2`;
  const users = await client.query<User>(text, [perPage, (page - 1) * perPage]);
  const count = await client.query<{ total: number }>("select count(*)::int as total from auth.users");
  return { users: users.rows, total: count.rows[0]?.total ?? 0 };
}

export interface UserChanges {
  /** Only for a new account. */
  id?: string | undefined;
  email?: string | undefined;
  passwordHash?: string | undefined;
  isConfirmed?: boolean;
  /** A PostgreSQL interval, `none` to end a ban, or empty to change nothing. */
  banDuration?: string;
  /** Merged into the stored metadata. A null value removes its key. */
  metadata?: Record<string, unknown> | undefined;
  /** Like `metadata`, but only the service key can write it. It contains the account's role, such as `operator`. */
  appMetadata?: Record<string, unknown> | undefined;
}

// The token columns are empty strings: Supabase's auth service, to which accounts can move, cannot read accounts with
// nulls there.
const INSERT_USER = `insert into auth.users (instance_id, id, aud, role, email, raw_app_meta_data,
    raw_user_meta_data, created_at, confirmation_token, recovery_token, email_change_token_new, email_change)
  values ('00000000-0000-0000-0000-000000000000', $1, 'authenticated', 'authenticated', $2,
    jsonb_build_object('provider', $3::text, 'providers', jsonb_build_array($3::text)), $4, now(), '', '', '', '')`;
const INSERT_IDENTITY = `insert into auth.identities (provider_id, user_id, identity_data, provider, created_at)
  values ($1::text, $1::uuid, jsonb_build_object('sub', $1::text, 'phone_verified', false), 'email', now())
  on conflict do nothing`;

/**
 * Expects a normalized email address. A database trigger copies the name in the metadata to the new profile. Throws an
 * error with status 422 if the address or the id belongs to another account.
 */
export async function createUser(
  client: ClientBase,
  email: string,
  attributes: UserChanges,
  provider = "email",
): Promise<User> {
  const { id = randomUUID() } = attributes;
  await rejectDuplicates(client.query(INSERT_USER, [id, email, provider, attributes.metadata ?? {}]));
  if (provider === "email") await client.query(INSERT_IDENTITY, [id]);
  return changeUser(client, id, attributes);
}

// Merge the metadata in PostgreSQL. In JavaScript, assigning to a key such as `__proto__` would change the prototype.
const UPDATE_USER = `update auth.users set updated_at = now(), email = coalesce($2, email),
    encrypted_password = coalesce($3, encrypted_password),
    email_confirmed_at = coalesce(email_confirmed_at, case when $4 then now() end),
    banned_until = case when $5 = '' then banned_until else now() + nullif($5, 'none')::interval end,
    raw_user_meta_data = (coalesce(raw_user_meta_data, '{}') || $6::jsonb) - $7::text[],
    raw_app_meta_data = (coalesce(raw_app_meta_data, '{}') || $8::jsonb) - $9::text[]
  where id = $1`;
const UPDATE_IDENTITY = `update auth.identities i set updated_at = now(), identity_data = identity_data
    || jsonb_build_object('email', u.email, 'email_verified', u.email_confirmed_at is not null)
  from auth.users u where u.id = $1 and i.user_id = $1 and i.provider = 'email'`;

/**
 * A new password or a ban ends all sessions except `keptSession`. A new password or email address invalidates the links
 * in earlier emails. Throws an error with status 404 for an unknown account, and with 422 if the email address belongs
 * to another account.
 */
export async function changeUser(
  client: ClientBase,
  id: string,
  {
    email,
    passwordHash,
    isConfirmed = false,
    banDuration = "",
    metadata = {},
    appMetadata = {},
  }: UserChanges,
  keptSession?: string,
): Promise<User> {
  const merged = [metadata, nullKeys(metadata), appMetadata, nullKeys(appMetadata)];
  const values = [id, email, passwordHash, isConfirmed, banDuration, ...merged];
  const { rowCount } = await rejectDuplicates(client.query(UPDATE_USER, values));
  if (rowCount !== 1) throw userNotFound();
  // A member who signs in at a provider can also sign in with the new password.
  if (passwordHash !== undefined)
    await client.query(INSERT_IDENTITY, [id]).then(() => listProviders(client, id));
  await client.query(UPDATE_IDENTITY, [id]);
  if (passwordHash !== undefined || /\d/.test(banDuration)) {
    const end = "delete from auth.sessions where user_id = $1 and id is distinct from $2::uuid";
    await client.query(end, [id, keptSession]);
  }
  if (passwordHash !== undefined || email !== undefined) await dropLinks(client, id);
  return getUser(client, id);
}

function nullKeys(metadata: Record<string, unknown>): string[] {
  return Object.keys(metadata).filter((key) => metadata[key] === null);
}

async function rejectDuplicates<T>(statement: Promise<T>): Promise<T> {
  return statement.catch((error: unknown) => {
    if (!(error instanceof DatabaseError) || error.code !== "23505") throw error;
    throw error.constraint === "users_pkey" ? userExists() : emailExists();
  });
}

export async function deleteUser(client: ClientBase, id: string): Promise<void> {
  const { rowCount } = await client.query("delete from auth.users where id = $1", [id]);
  if (rowCount !== 1) throw userNotFound();
  await dropLinks(client, id);
}
