/** A date with or without a time and a zone, as in ISO 8601 and its relatives: `2024-01-05 10:00:00 +0100`. */
const NUMERIC =
  /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T\s]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,6})\d*)?)?\s*(Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?)?$/i;
const DAY_FIRST = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})(?=$|[ T,])/;
const EPOCH = /^\d{10}(?:\d{3})?$/;
const MONTH = /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i;

/**
 * An instant in ISO 8601, to the microsecond where one is given; null when it cannot be understood.
 * What names no zone is in the member's own.
 */
export function parseDate(text: string): string | null {
  const trimmed = text.trim().replace(DAY_FIRST, "$3-$2-$1");
  if (EPOCH.test(trimmed)) return instant(Number(trimmed) * (trimmed.length === 10 ? 1000 : 1));
  const numeric = NUMERIC.exec(trimmed);
  if (numeric) return fromParts(numeric);
  // Everything else that names a year: RFC 2822, what JavaScript and people write. Engines guess at less.
  if (!/\d{4}/.test(trimmed) || !(MONTH.test(trimmed) || /^\d{1,2}\/\d{1,2}\/\d{4}\b/.test(trimmed)))
    return null;
  return instant(Date.parse(trimmed.replace(/(\d)(?:st|nd|rd|th)\b/i, "$1")));
}

function fromParts(match: RegExpExecArray): string | null {
  const [, year = "", month = "", day = "", hour = "00", minute = "00", second = "00", fraction, zone] =
    match;
  const two = (part: string) => part.padStart(2, "0");
  const isReal =
    new Date(Date.UTC(+year, +month - 1, +day)).getUTCDate() === +day && +month >= 1 && +month <= 12;
  if (!isReal || +year < 1) return null;
  const seconds = two(second) + (fraction ? `.${fraction}` : "");
  const local = `${year}-${two(month)}-${two(day)}T${two(hour)}:${minute}:${seconds}`;
  if (!zone) return instant(Date.parse(local));
  const time = local + offset(zone);
  return Number.isNaN(Date.parse(time)) ? null : time;
}

function offset(zone: string): string {
  if (!/^[+-]/.test(zone)) return "+00:00";
  return `${zone.slice(0, 3)}:${zone.slice(3).replace(":", "") || "00"}`;
}

function instant(milliseconds: number): string | null {
  const date = new Date(milliseconds);
  const year = date.getUTCFullYear();
  return year >= 1 && year <= 9999 ? date.toISOString() : null;
}
