import type { ClientBase } from "pg";
import { invalid } from "../auth-error.ts";

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
