import { randomUUID } from "node:crypto";
import type { ClientBase } from "pg";
import { DatabaseError } from "pg";
import { emailExists, userNotFound } from "../auth-error.ts";

/** An account as `auth.users` and `auth.identities` hold it, without its password. */
export interface User {
  id: string;
  aud: string;
  role: string;
  email: string;
  email_confirmed_at: Date | null;
  invited_at: Date | null;
  confirmation_sent_at: Date | null;
  confirmed_at: Date | null;
  recovery_sent_at: Date | null;
  last_sign_in_at: Date | null;
  app_metadata: Record<string, unknown>;
  user_metadata: Record<string, unknown>;
  identities: Record<string, unknown>[];
  created_at: Date;
  updated_at: Date;
  banned_until: Date | null;
}

const columns = `u.id, u.aud, u.role, u.email, u.email_confirmed_at, u.invited_at, u.confirmation_sent_at,
  u.confirmed_at, u.recovery_sent_at, u.last_sign_in_at, u.created_at, u.updated_at, u.banned_until,
  coalesce(u.raw_app_meta_data, '{}') as app_metadata, coalesce(u.raw_user_meta_data, '{}') as user_metadata,
  (select coalesce(json_agg(json_build_object('identity_id', i.id, 'id', i.provider_id, 'user_id', i.user_id,
    'identity_data', i.identity_data, 'provider', i.provider, 'last_sign_in_at', i.last_sign_in_at,
    'created_at', i.created_at, 'updated_at', i.updated_at, 'email', i.email)), '[]')
    from auth.identities i where i.user_id = u.id) as identities`;

/** Takes an account, returns it as the protocol shows it: empty times are left out (GoTrue, internal/models/user.go). */
export function userBody(user: User): Record<string, unknown> {
  const filled = Object.entries(user).filter(([, value]) => value !== null);
  return { ...Object.fromEntries(filled), phone: "", is_anonymous: false };
}

/** Takes a normalized e-mail, returns its account, if there is one. */
export async function findUserByEmail(client: ClientBase, email: string): Promise<User | undefined> {
  const text = `select ${columns} from auth.users u where u.email = $1 and not u.is_sso_user`;
  return (await client.query<User>(text, [email])).rows[0];
}

/** Takes an account's id, returns the account. Throws 404 `user_not_found`. */
export async function getUser(client: ClientBase, id: string): Promise<User> {
  const found = await client.query<User>(`select ${columns} from auth.users u where u.id = $1`, [id]);
  const user = found.rows[0];
  if (!user) throw userNotFound();
  return user;
}

/** Takes which page of how many, returns those accounts, newest first, and how many there are in all. */
export async function listUsers(client: ClientBase, page: number, perPage: number) {
  const text = `select ${columns} from auth.users u order by u.created_at desc, u.id limit $1 offset $2`;
  const users = await client.query<User>(text, [perPage, (page - 1) * perPage]);
  const count = await client.query<{ total: number }>("select count(*)::int as total from auth.users");
  return { users: users.rows, total: count.rows[0]?.total ?? 0 };
}

/** What a new account is made of. Without a hash it has no password until its owner sets one by link. */
export interface NewUser {
  id?: string | undefined;
  email: string;
  passwordHash: string | null;
  confirmed: boolean;
  bannedUntil?: Date | null;
  userMetadata?: Record<string, unknown> | undefined;
  appMetadata?: Record<string, unknown> | undefined;
}

// The empty texts are Supabase's: its service cannot read an account that has nulls in these columns.
const insertUser = `insert into auth.users (instance_id, id, aud, role, email, encrypted_password,
    email_confirmed_at, banned_until, raw_app_meta_data, raw_user_meta_data, created_at, updated_at,
    confirmation_token, recovery_token, email_change_token_new, email_change)
  values ('00000000-0000-0000-0000-000000000000', $1, 'authenticated', 'authenticated', $2, $3,
    $4, $5, $6, $7, $8, $8, '', '', '', '')`;
const insertIdentity = `insert into auth.identities (provider_id, user_id, identity_data, provider,
    created_at, updated_at)
  values ($1::text, $1::uuid, $2, 'email', $3, $3)`;

/** Takes a new account, stores it with its e-mail identity, returns it. Throws 422 `email_exists`. */
export async function createUser(client: ClientBase, user: NewUser, now: Date): Promise<User> {
  const id = user.id ?? randomUUID();
  const app = { provider: "email", providers: ["email"], ...user.appMetadata };
  const confirmedAt = user.confirmed ? now : null;
  const banned = user.bannedUntil ?? null;
  const metadata = user.userMetadata ?? {};
  try {
    await client.query(insertUser, [
      id,
      user.email,
      user.passwordHash,
      confirmedAt,
      banned,
      app,
      metadata,
      now,
    ]);
  } catch (error) {
    throw isDuplicate(error) ? emailExists() : error;
  }
  const identity = { sub: id, email: user.email, email_verified: user.confirmed, phone_verified: false };
  await client.query(insertIdentity, [id, identity, now]);
  return getUser(client, id);
}

function isDuplicate(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === "23505";
}

/** Takes an account's id, marks its e-mail as confirmed, unless it is already. */
export async function confirmEmail(client: ClientBase, id: string, now: Date): Promise<void> {
  const confirm = `update auth.users set email_confirmed_at = $2, updated_at = $2
    where id = $1 and email_confirmed_at is null`;
  await client.query(confirm, [id, now]);
  const verify = `update auth.identities set identity_data = identity_data || '{"email_verified": true}',
    updated_at = $2 where user_id = $1 and provider = 'email'`;
  await client.query(verify, [id, now]);
}

/** Takes an account's id and its new normalized e-mail, stores it; links sent to the old one die. Throws 422 `email_exists`. */
export async function changeEmail(client: ClientBase, id: string, email: string, now: Date): Promise<void> {
  try {
    await client.query("update auth.users set email = $2, updated_at = $3 where id = $1", [id, email, now]);
  } catch (error) {
    throw isDuplicate(error) ? emailExists() : error;
  }
  const identity = `update auth.identities set identity_data = identity_data || jsonb_build_object('email', $2::text),
    updated_at = $3 where user_id = $1 and provider = 'email'`;
  await client.query(identity, [id, email, now]);
  await dropLinks(client, id);
}

/** Takes an account's id, makes every link and code that was sent for it worthless. */
async function dropLinks(client: ClientBase, id: string): Promise<void> {
  await client.query("delete from auth.one_time_tokens where user_id = $1", [id]);
  await client.query("delete from auth.flow_state where user_id = $1", [id]);
}

/**
 * Takes an account's id, a new password's hash and the session that may go on (none: none may), stores the hash,
 * ends all other sessions and drops links sent before: who changes a password may mistrust whoever had the old one.
 */
export async function changePassword(
  client: ClientBase,
  id: string,
  hash: string,
  keptSession: string | null,
  now: Date,
): Promise<void> {
  const store = "update auth.users set encrypted_password = $2, updated_at = $3 where id = $1";
  await client.query(store, [id, hash, now]);
  const end = "delete from auth.sessions where user_id = $1 and id is distinct from $2::uuid";
  await client.query(end, [id, keptSession]);
  await dropLinks(client, id);
}

type MetadataColumn = "raw_user_meta_data" | "raw_app_meta_data";

/**
 * Takes an account's id and changes to its metadata, merges them: null removes a key. Returns how many bytes it
 * holds then. PostgreSQL merges, so no key of a request ever meets an object of this process.
 */
export async function mergeMetadata(
  client: ClientBase,
  id: string,
  column: MetadataColumn,
  changes: Record<string, unknown>,
  now: Date,
): Promise<number> {
  const removed = Object.keys(changes).filter((key) => changes[key] === null);
  const text = `update auth.users set ${column} = (coalesce(${column}, '{}') || $2::jsonb) - $3::text[],
    updated_at = $4 where id = $1 returning octet_length(${column}::text) as bytes`;
  const merged = await client.query<{ bytes: number }>(text, [id, changes, removed, now]);
  return merged.rows[0]?.bytes ?? 0;
}

/** Takes an account's id and when its ban ends (null: now), stores it. A ban ends the sessions, as it will sign in anew. */
export async function banUser(client: ClientBase, id: string, until: Date | null, now: Date): Promise<void> {
  const text = "update auth.users set banned_until = $2, updated_at = $3 where id = $1";
  await client.query(text, [id, until, now]);
  if (until !== null) await client.query("delete from auth.sessions where user_id = $1", [id]);
}

/** Takes an account's id, removes it; its sessions, profile and publications go with it. Throws 404 `user_not_found`. */
export async function deleteUser(client: ClientBase, id: string): Promise<void> {
  await dropLinks(client, id);
  const { rowCount } = await client.query("delete from auth.users where id = $1", [id]);
  if (rowCount !== 1) throw userNotFound();
}
