import { randomUUID } from "node:crypto";
import { type ClientBase, DatabaseError } from "pg";
import { emailExists, userNotFound } from "../auth-error.ts";

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

const COLUMNS = `u.id, u.aud, u.role, u.email, u.email_confirmed_at, u.invited_at, u.confirmation_sent_at,
  u.confirmed_at, u.recovery_sent_at, u.last_sign_in_at, u.created_at, u.updated_at, u.banned_until,
  coalesce(u.raw_app_meta_data, '{}') as app_metadata, coalesce(u.raw_user_meta_data, '{}') as user_metadata,
  (select coalesce(json_agg(json_build_object('identity_id', i.id, 'id', i.provider_id, 'user_id', i.user_id,
    'identity_data', i.identity_data, 'provider', i.provider, 'last_sign_in_at', i.last_sign_in_at,
    'created_at', i.created_at, 'updated_at', i.updated_at, 'email', i.email)), '[]')
    from auth.identities i where i.user_id = u.id) as identities`;

/** As the protocol shows an account: empty times are left out (GoTrue, internal/models/user.go). */
export function userBody(user: User): Record<string, unknown> {
  const filled = Object.entries(user).filter(([, value]) => value !== null);
  return { ...Object.fromEntries(filled), phone: "", is_anonymous: false };
}

export async function findUserByEmail(client: ClientBase, email: string): Promise<User | undefined> {
  const text = `select ${COLUMNS} from auth.users u where u.email = $1 and not u.is_sso_user`;
  return (await client.query<User>(text, [email])).rows[0];
}

export async function getUser(client: ClientBase, id: string): Promise<User> {
  const found = await client.query<User>(`select ${COLUMNS} from auth.users u where u.id = $1`, [id]);
  const user = found.rows[0];
  if (!user) throw userNotFound();
  return user;
}

export async function listUsers(client: ClientBase, page: number, perPage: number) {
  const text = `select ${COLUMNS} from auth.users u order by u.created_at desc, u.id limit $1 offset $2`;
  const users = await client.query<User>(text, [perPage, (page - 1) * perPage]);
  const count = await client.query<{ total: number }>("select count(*)::int as total from auth.users");
  return { users: users.rows, total: count.rows[0]?.total ?? 0 };
}

export interface NewUser {
  email: string;
  /** Without one, the owner sets a password by link. */
  passwordHash: string | null;
  isConfirmed: boolean;
  banMs?: number | null | undefined;
  userMetadata?: Record<string, unknown> | undefined;
}

// The empty texts are Supabase's: its service cannot read an account that has nulls in these columns.
const INSERT_USER = `insert into auth.users (instance_id, id, aud, role, email, encrypted_password,
    email_confirmed_at, banned_until, raw_app_meta_data, raw_user_meta_data, created_at, updated_at,
    confirmation_token, recovery_token, email_change_token_new, email_change)
  values ('00000000-0000-0000-0000-000000000000', $1, 'authenticated', 'authenticated', $2, $3,
    case when $4 then now() end, now() + $5 * interval '1 ms', $6, $7, now(), now(), '', '', '', '')`;
const INSERT_IDENTITY = `insert into auth.identities (provider_id, user_id, identity_data, provider,
    created_at, updated_at)
  values ($1::text, $1::uuid, $2, 'email', now(), now())`;

export async function createUser(client: ClientBase, user: NewUser): Promise<User> {
  const { email, passwordHash, isConfirmed, banMs = null, userMetadata = {} } = user;
  const id = randomUUID();
  const app = { provider: "email", providers: ["email"] };
  const values = [id, email, passwordHash, isConfirmed, banMs, app, userMetadata];
  await refuseDuplicates(client.query(INSERT_USER, values));
  const identity = { sub: id, email, email_verified: isConfirmed, phone_verified: false };
  await client.query(INSERT_IDENTITY, [id, identity]);
  return getUser(client, id);
}

/** Throws 422 `email_exists` where the statement violates a unique index. */
export async function refuseDuplicates<T>(statement: Promise<T>): Promise<T> {
  return statement.catch((error: unknown) => {
    throw error instanceof DatabaseError && error.code === "23505" ? emailExists() : error;
  });
}

export async function deleteUser(client: ClientBase, id: string): Promise<void> {
  await dropLinks(client, id);
  const { rowCount } = await client.query("delete from auth.users where id = $1", [id]);
  if (rowCount !== 1) throw userNotFound();
}

export async function dropLinks(client: ClientBase, id: string): Promise<void> {
  await client.query("delete from auth.one_time_tokens where user_id = $1", [id]);
  await client.query("delete from auth.flow_state where user_id = $1", [id]);
}
