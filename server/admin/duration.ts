import { UsageError } from "../config/operator-error.ts";

const UNIT_HOURS: Record<string, number> = { h: 1, d: 24, w: 7 * 24 };

/**
 * Returns a suspension's duration for the admin API, which doesn't accept days or weeks. If `duration` is undefined, the
 * duration is 100 years, because the API has no suspensions without an end. Throws UsageError.
 */
export function readDuration(duration: string | undefined): string {
  if (duration === undefined) return "876000h";
  const [, count, unit = ""] = /^([1-9]\d{0,4})([mhdw])$/.exec(duration) ?? [];
  if (count === undefined) {
    throw new UsageError(
      `"suspend": --for must be a number with m, h, d or w, such as 7d, not "${duration}"`,
    );
  }
  return unit === "m" ? duration : `${Number(count) * (UNIT_HOURS[unit] ?? 1)}h`;
}
