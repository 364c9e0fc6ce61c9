import { isDay } from "../../common/data/columns.ts";

/**
 * Formats a date in the reader's time zone, for example "Nov 5, 2026". Doesn't use `Intl`, because loading its data takes
 * a phone about 60 ms, which would delay hydration.
 */
export function toLocalDate(date: Date): string {
  const [, month, day, year] = date.toDateString().split(" ");
  return `${month} ${Number(day)}, ${Number(year)}`;
}

export function toUtcDate(date: Date): string {
  const [, day, month, year] = date.toUTCString().split(" ");
  return `${month} ${Number(day)}, ${Number(year)}`;
}

/** The server renders the date in UTC, and an inline script converts it to the reader's time zone before hydration. */
export function LocalDate({ time }: { time: string }) {
  const date = new Date(time);
  // Show no date if JavaScript can't parse it, as with PostgreSQL's `-infinity` and years BC.
  if (Number.isNaN(date.getTime())) return null;
  return (
    <time dateTime={date.toISOString()} suppressHydrationWarning>
      {typeof document === "undefined" ? toUtcDate(date) : toLocalDate(date)}
    </time>
  );
}

/** Shows a column of type `date`, e.g. "2026-11-05". Such a day is the same in every time zone. */
export function Day({ day }: { day: string }) {
  // PostgreSQL also stores `infinity` and years BC.
  return isDay(day) ? <time dateTime={day}>{toUtcDate(new Date(day))}</time> : null;
}

/** Formats a date and time in the reader's time zone, for example "Nov 5, 2026, 10:31 AM". */
export const toLocalTime = (time: string, hasSeconds = false): string =>
  new Date(time).toLocaleString("en-US", { dateStyle: "medium", timeStyle: hasSeconds ? "medium" : "short" });

interface LocalTimeProps {
  time: string;
  hasSeconds?: boolean;
}

/** Shows a date and time. Only for parts that the browser renders: the server doesn't know the reader's time zone. */
export function LocalTime({ time, hasSeconds = false }: LocalTimeProps) {
  return <time dateTime={time}>{toLocalTime(time, hasSeconds)}</time>;
}
