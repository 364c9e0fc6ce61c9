import type { ClientBase } from "pg";
import { dropLinks, refuseDuplicates } from "./users.ts";

export async function confirmEmail(client: ClientBase, id: string): Promise<void> {
  const confirm = `update auth.users set email_confirmed_at = now(), updated_at = now()
    where id = $1 and email_confirmed_at is null`;
  await client.query(confirm, [id]);
  const verify = `update auth.identities set identity_data = identity_data || '{"email_verified": true}',
    updated_at = now() where user_id = $1 and provider = 'email'`;
  await client.query(verify, [id]);
}

/** The e-mail must be normalized. Links sent to the old one die. Throws 422 `email_exists`. */
export async function changeEmail(client: ClientBase, id: string, email: string): Promise<void> {
  const text = "update auth.users set email = $2, updated_at = now() where id = $1";
  await refuseDuplicates(client.query(text, [id, email]));
  const identity = `update auth.identities set identity_data = identity_data || jsonb_build_object('email', $2::text),
    updated_at = now() where user_id = $1 and provider = 'email'`;
  await client.query(identity, [id, email]);
  await dropLinks(client, id);
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
): Promise<void> {
  const store = "update auth.users set encrypted_password = $2, updated_at = now() where id = $1";
  await client.query(store, [id, hash]);
  const end = "delete from auth.sessions where user_id = $1 and id is distinct from $2::uuid";
  await client.query(end, [id, keptSession]);
  await dropLinks(client, id);
}

/** Null removes a key. Returns the size in bytes. PostgreSQL merges, so no key of a request meets an object of ours. */
export async function mergeMetadata(
  client: ClientBase,
  id: string,
  changes: Record<string, unknown>,
): Promise<number> {
  const removed = Object.keys(changes).filter((key) => changes[key] === null);
  const text = `update auth.users
    set raw_user_meta_data = (coalesce(raw_user_meta_data, '{}') || $2::jsonb) - $3::text[], updated_at = now()
    where id = $1 returning octet_length(raw_user_meta_data::text) as bytes`;
  const merged = await client.query<{ bytes: number }>(text, [id, changes, removed]);
  return merged.rows[0]?.bytes ?? 0;
}

/** A ban ends the sessions; null ends the ban. */
export async function banUser(client: ClientBase, id: string, milliseconds: number | null): Promise<void> {
  const text =
    "update auth.users set banned_until = now() + $2 * interval '1 ms', updated_at = now() where id = $1";
  await client.query(text, [id, milliseconds]);
  if (milliseconds !== null) await client.query("delete from auth.sessions where user_id = $1", [id]);
}
