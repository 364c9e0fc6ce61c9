import { invalid } from "./auth-error.ts";

const UNITS_MS: Record<string, number> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };
const MAX_BAN_MS = 100 * 365 * 24 * 3_600_000;

/** Milliseconds of `24h`, `1h30m` (Go, time.ParseDuration), null for `none`, undefined for "". Throws 400. */
export function banLength(duration: string): number | null | undefined {
  if (duration === "") return undefined;
  if (duration === "none") return null;
  if (!/^(\d{1,9}(\.\d{1,3})?(h|ms|m|s))+$/.test(duration)) throw invalid("invalid format for ban duration");
  const parts = duration.matchAll(/([\d.]+)(h|ms|m|s)/g);
  const total = [...parts].reduce((sum, [, n, unit]) => sum + Number(n) * (UNITS_MS[unit ?? ""] ?? 0), 0);
  return Math.min(total, MAX_BAN_MS);
}
