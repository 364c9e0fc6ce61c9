import { invalid } from "../auth-error.ts";

const milliseconds: Record<string, number> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };
const longest = 100 * 365 * 24 * 3_600_000;

/**
 * Takes `ban_duration` as the admin API writes it (`24h`, `1h30m`, `none`; Go, time.ParseDuration), returns when
 * the ban ends: null for none, undefined when nothing is said. Throws 400 `validation_failed`.
 */
export function banEnd(duration: string, now: Date): Date | null | undefined {
  if (duration === "") return undefined;
  if (duration === "none") return null;
  if (!/^(\d{1,9}(\.\d{1,3})?(h|ms|m|s))+$/.test(duration)) throw invalid("invalid format for ban duration");
  const parts = duration.matchAll(/([\d.]+)(h|ms|m|s)/g);
  const total = [...parts].reduce((sum, [, n, unit]) => sum + Number(n) * (milliseconds[unit ?? ""] ?? 0), 0);
  return new Date(now.getTime() + Math.min(total, longest));
}
