/** Created only once, because creating a formatter is slow. */
const dates = new Intl.DateTimeFormat("en-US", {
  month: "short",
  day: "numeric",
  year: "numeric",
  ...(typeof document === "undefined" && { timeZone: "UTC" }),
});

/** The server renders the date in UTC, and an inline script converts it to the reader's time zone before hydration. */
export function LocalDate({ time }: { time: string }) {
  const date = new Date(time);
  // JavaScript can't parse PostgreSQL's `-infinity` or years BC.
  if (Number.isNaN(date.getTime())) return null;
  return (
    <time dateTime={date.toISOString()} suppressHydrationWarning>
      {dates.format(date)}
    </time>
  );
}

const times = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeStyle: "short" });

/** A date and time in the reader's time zone, for parts that only the browser renders. */
export function LocalTime({ time }: { time: string }) {
  return <time dateTime={time}>{times.format(new Date(time))}</time>;
}
