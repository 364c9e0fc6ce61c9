import { calendarWords } from "./calendar-words.ts";
import { offsetOf } from "./time-zones.ts";

/** Some programs put dates in brackets or quotes, e.g. Org mode: `[2016-03-01 Tue]`. */
const WRAPPED = /^\s*["'[(<]([^\])>"']*)["'\])>]\s*$/;
/** RFC 9557 adds a zone's name and other tags to a date: `2024-05-06T07:08:09+02:00[Europe/Berlin]`. */
const TAGS = /(?<=\d)(z|[+-]\d\d:?\d\d)?\[!?([^[\]=]+)\](?:\[[^[\]]*\])*$/i;
/** Chinese, Japanese and Korean put the half of the day before the time. */
const HALF_FIRST = /(오전|오후|上午|下午|午前|午後)\s*(\d{1,2}(?::\d{1,2}){0,2})/;
const EPOCH = /^\d{10}(?:\d{3})?$/;
/** An ISO 8601 date, with or without a time, that has no separators. */
const COMPACT = /^(\d{4})(\d\d)(\d\d)(?:T?(\d\d)(\d\d)(\d\d)?(?=\D|$))?/i;
const CLOCK =
  /(?:^|[t\s])(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:\.(\d{1,6})\d*)?)?(?!\d)(?:\s*([ap])\.?\s?m(?![a-z])\.?)?/i;
const HOUR = /(?:^|[t\s])(\d{1,2})()()()\s*([ap])\.?\s?m(?![a-z])\.?/i;
const ZONE = /^\s*((?:gmt|utc?)?[+-]\d{1,2}(?::?\d\d)?|[a-z_]+\/[a-z\d_/+-]+|[a-z]+)(?=\s|$)/i;
/** A zone after a day without a time, which doesn't change the day. An offset needs a colon here, because in `05-06-2024`, `-2024` is the year. */
const DAY_ZONE = /(?<=\d)\s?(?:z|(?:utc|gmt)(?:[+-](?:0\d|1[0-4]):\d\d)?|[+-](?:0\d|1[0-4]):\d\d)$/i;

const YEAR_FIRST = /^(\d{4})[-/.]\s?(\d{1,2})(?:[-/.]\s?(\d{1,2}))?[.-]?$/;
const DOTTED = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})$/;
const SLASHED = /^(\d{1,2})([/-])(\d{1,2})\2(\d{4})$/;

const NOON = "12:00:00.000Z";

interface Day {
  year: number;
  month: number;
  day: number;
}

/**
 * Converts a date in one of many formats to ISO 8601. Returns null if no format matches. A date without a time becomes
 * noon in UTC, which is the same day in almost every time zone. A time without a zone is read in the member's time zone,
 * and its microseconds are cut to milliseconds.
 */
export function parseDate(text: string): string | null {
  const source = text
    .normalize("NFKC")
    .trim()
    .replace(TAGS, (_, offset: string | undefined, zone: string) => offset ?? ` ${zone}`)
    .replace(
      HALF_FIRST,
      (_, half: string, time: string) => ` ${time} ${/오전|上午|午前/.test(half) ? "am" : "pm"}`,
    )
    .replace(WRAPPED, "$1")
    .replace(/\([^()]*\)/g, " ")
    // A log's time: `22:05:06,123`.
    .replace(/(?<=:\d\d?:\d\d?),(?=\d)/, ".")
    .replace(/[\s,]+/g, " ")
    .trim();
  if (EPOCH.test(source)) return instant(Number(source) * (source.length === 10 ? 1_000 : 1));
  const separated = source.replace(COMPACT, addSeparators);
  const clock = CLOCK.exec(separated) ?? HOUR.exec(separated);
  if (!clock) {
    const day = parseDay(separated.replace(DAY_ZONE, ""));
    return day && isReal(day) ? instant(Date.parse(`${isoDay(day)}T${NOON}`)) : null;
  }
  const time = timeOf(clock);
  const rest = separated.slice(clock.index + clock[0].length);
  const before = separated.slice(0, clock.index);
  // Unix `date` prints the year after the zone: "Tue Mar 1 22:05:00 CET 2016".
  const [zoneText = "", zone = ""] = ZONE.exec(rest) ?? [];
  // Go prints the zone twice: "+0200 CEST".
  const after = rest.slice(zoneText.length).replace(/^ [A-Z]{3,5}\b/, "");
  return (
    time &&
    (toInstant(parseDay(`${before} ${after}`), time, zone) ??
      toInstant(parseDay(`${before} ${rest}`), time, ""))
  );
}

/** Returns when a parsed date starts, in milliseconds since 1970: at the start of the day if it has no time. */
export function startOf(date: string): number {
  return Date.parse(date.replace(NOON, "00:00:00.000Z"));
}

function addSeparators(
  _: string,
  year: string,
  month: string,
  day: string,
  ...[hour, minute, second]: string[]
): string {
  return `${year}-${month}-${day}${hour && minute ? ` ${hour}:${minute}:${second ?? "00"}` : ""}`;
}

function timeOf([, hour = "", minute, second, fraction, half]: RegExpExecArray): string | null {
  if (half && (Number(hour) < 1 || Number(hour) > 12)) return null;
  const hours = half ? (Number(hour) % 12) + (half.toLowerCase() === "p" ? 12 : 0) : Number(hour);
  if (hours > 23) return null;
  return `${twoDigits(hours)}:${twoDigits(Number(minute))}:${twoDigits(Number(second ?? 0))}${fraction ? `.${fraction}` : ""}`;
}

function parseDay(text: string): Day | null {
  const trimmed = text
    .trim()
    .replace(/\s*[年月년월]\s*/g, "-")
    .replace(/[日일]/g, "");
  const { months, others } = calendarWords();
  const words = trimmed.toLowerCase().match(/\p{L}[\p{L}\p{M}]*/gu) ?? [];
  if (!words.every((word) => months.has(word) || others.has(word))) return null;
  // Take the last word that can be a month, because "mar" is March, but also Tuesday in French.
  const month = months.get(words.findLast((word) => months.has(word)) ?? "");
  return month
    ? parseNamed(trimmed, month)
    : parseNumbers(trimmed.replace(/\p{L}[\p{L}\p{M}]*\.?/gu, "").trim());
}

function parseNamed(text: string, month: number): Day | null {
  const numbers = text.match(/\d+/g) ?? [];
  const year = numbers.find((number) => number.length === 4);
  const days = numbers.filter((number) => number.length <= 2);
  if (!year || numbers.length > 2 || days.length + 1 !== numbers.length) return null;
  return { year: Number(year), month, day: Number(days[0] ?? 1) };
}

function parseNumbers(text: string): Day | null {
  const [, year, month, day = 1] = YEAR_FIRST.exec(text) ?? [];
  if (year) return { year: Number(year), month: Number(month), day: Number(day) };
  const dotted = DOTTED.exec(text);
  if (dotted) return { year: Number(dotted[3]), month: Number(dotted[2]), day: Number(dotted[1]) };
  const [, first, separator, second, last] = SLASHED.exec(text) ?? [];
  if (!first) return null;
  const isDayFirst = Number(first) > 12;
  // Reject 5-6-2024, which can mean 6 May or 5 June. But read 5/6/2024 as 6 May, as in the United States.
  if (separator === "-" && !isDayFirst && Number(second) <= 12) return null;
  const [month2, day2] = isDayFirst ? [second, first] : [first, second];
  return { year: Number(last), month: Number(month2), day: Number(day2) };
}

function toInstant(date: Day | null, time: string, zone: string): string | null {
  if (!date || !isReal(date)) return null;
  const local = `${isoDay(date)}T${time}`;
  if (!zone) return instant(Date.parse(local));
  const offset = offsetOf(zone, local);
  return offset && !Number.isNaN(Date.parse(local + offset)) ? local + offset : null;
}

const isoDay = ({ year, month, day }: Day): string =>
  `${String(year).padStart(4, "0")}-${twoDigits(month)}-${twoDigits(day)}`;

function isReal({ year, month, day }: Day): boolean {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return year >= 1 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

function instant(milliseconds: number): string | null {
  const date = new Date(milliseconds);
  const year = date.getUTCFullYear();
  return year >= 1 && year <= 9999 ? date.toISOString() : null;
}

const twoDigits = (part: number) => String(part).padStart(2, "0");
