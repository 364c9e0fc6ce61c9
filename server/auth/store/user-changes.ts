import type { ClientBase } from "pg";
import { invalid } from "../auth-error.ts";
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

const UNITS_MS: Record<string, number> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };
const MAX_BAN_MS = 100 * 365 * 24 * 3_600_000;

/** `24h`, `1h30m` (Go, time.ParseDuration), null for `none`, undefined for "". Throws 400. */
export function banEnd(duration: string, now: Date): Date | null | undefined {
  if (duration === "") return undefined;
  if (duration === "none") return null;
  if (!/^(\d{1,9}(\.\d{1,3})?(h|ms|m|s))+$/.test(duration)) throw invalid("invalid format for ban duration");
  const parts = duration.matchAll(/([\d.]+)(h|ms|m|s)/g);
  const total = [...parts].reduce((sum, [, n, unit]) => sum + Number(n) * (UNITS_MS[unit ?? ""] ?? 0), 0);
  return new Date(now.getTime() + Math.min(total, MAX_BAN_MS));
}

/** A ban ends the sessions; null ends the ban. */
export async function banUser(client: ClientBase, id: string, until: Date | null, now: Date): Promise<void> {
  const text = "update auth.users set banned_until = $2, updated_at = $3 where id = $1";
  await client.query(text, [id, until, now]);
  if (until !== null) await client.query("delete from auth.sessions where user_id = $1", [id]);
}
