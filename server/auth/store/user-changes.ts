import type { ClientBase } from "pg";
import { dropLinks, refuseDuplicates } from "./users.ts";

export async function confirmEmail(client: ClientBase, id: string, now: Date): Promise<void> {
  const confirm = `update auth.users set email_confirmed_at = $2, updated_at = $2
    where id = $1 and email_confirmed_at is null`;
  await client.query(confirm, [id, now]);
  const verify = `update auth.identities set identity_data = identity_data || '{"email_verified": true}',
    updated_at = $2 where user_id = $1 and provider = 'email'`;
  await client.query(verify, [id, now]);
}

/** The e-mail must be normalized. Links sent to the old one die. Throws 422 `email_exists`. */
export async function changeEmail(client: ClientBase, id: string, email: string, now: Date): Promise<void> {
  const text = "update auth.users set email = $2, updated_at = $3 where id = $1";
  await refuseDuplicates(client.query(text, [id, email, now]));
  const identity = `update auth.identities set identity_data = identity_data || jsonb_build_object('email', $2::text),
    updated_at = $3 where user_id = $1 and provider = 'email'`;
  await client.query(identity, [id, email, now]);
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
  now: Date,
): Promise<void> {
  const store = "update auth.users set encrypted_password = $2, updated_at = $3 where id = $1";
  await client.query(store, [id, hash, now]);
  const end = "delete from auth.sessions where user_id = $1 and id is distinct from $2::uuid";
  await client.query(end, [id, keptSession]);
  await dropLinks(client, id);
}

interface MetadataChanges {
  column: "raw_user_meta_data" | "raw_app_meta_data";
  /** Null removes a key. */
  changes: Record<string, unknown>;
}

/** Returns the size in bytes. PostgreSQL merges, so no key of a request ever meets an object of this process. */
export async function mergeMetadata(
  client: ClientBase,
  id: string,
  { column, changes }: MetadataChanges,
  now: Date,
): Promise<number> {
  const removed = Object.keys(changes).filter((key) => changes[key] === null);
  const text = `update auth.users set ${column} = (coalesce(${column}, '{}') || $2::jsonb) - $3::text[],
    updated_at = $4 where id = $1 returning octet_length(${column}::text) as bytes`;
  const merged = await client.query<{ bytes: number }>(text, [id, changes, removed, now]);
  return merged.rows[0]?.bytes ?? 0;
}
