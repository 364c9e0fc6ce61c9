import type { ClientBase } from "pg";
import { dropLinks } from "./users.ts";

export async function confirmEmail(client: ClientBase, id: string, now: Date): Promise<void> {
  const confirm = `update auth.users set email_confirmed_at = $2, updated_at = $2
    where id = $1 and email_confirmed_at is null`;
  await client.query(confirm, [id, now]);
  const verify = `update auth.identities set identity_data = identity_data || '{"email_verified": true}',
    updated_at = $2 where user_id = $1 and provider = 'email'`;
  await client.query(verify, [id, now]);
}

interface NewPassword {
  hash: string;
  keptSession: string | null;
}

/** Ends other sessions and drops links sent before: the old password may be in the wrong hands. */
export async function changePassword(
  client: ClientBase,
  id: string,
  { hash, keptSession }: NewPassword,
  now: Date,
): Promise<void> {
  const store = "update auth.users set encrypted_password = $2, updated_at = $3 where id = $1";
  await client.query(store, [id, hash, now]);
  const end = "delete from auth.sessions where user_id = $1 and id is distinct from $2::uuid";
  await client.query(end, [id, keptSession]);
  await dropLinks(client, id);
}

/** Null removes a key. Returns the size in bytes. PostgreSQL merges, so no key of a request meets an object of ours. */
export async function mergeMetadata(
  client: ClientBase,
  id: string,
  changes: Record<string, unknown>,
  now: Date,
): Promise<number> {
  const removed = Object.keys(changes).filter((key) => changes[key] === null);
  const text = `update auth.users
    set raw_user_meta_data = (coalesce(raw_user_meta_data, '{}') || $2::jsonb) - $3::text[], updated_at = $4
    where id = $1 returning octet_length(raw_user_meta_data::text) as bytes`;
  const merged = await client.query<{ bytes: number }>(text, [id, changes, removed, now]);
  return merged.rows[0]?.bytes ?? 0;
}
