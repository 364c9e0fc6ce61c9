/** Expensive to create. */
const dates = new Intl.DateTimeFormat("en-US", {
  month: "short",
  day: "numeric",
  year: "numeric",
  ...(typeof document === "undefined" && { timeZone: "UTC" }),
});

/** The server renders UTC, and an inline script changes it to the viewer's time zone. HTML allows milliseconds only. */
export function LocalDate({ time }: { time: string }) {
  const date = new Date(time);
  // PostgreSQL's `-infinity` and years BC are invalid here.
  if (Number.isNaN(date.getTime())) return null;
  return (
    <time dateTime={date.toISOString()} suppressHydrationWarning>
      {dates.format(date)}
    </time>
  );
}

const times = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeStyle: "short" });

/** Date and time in the viewer's time zone, for parts that only the browser renders. */
export function LocalTime({ time }: { time: string }) {
  return <time dateTime={time}>{times.format(new Date(time))}</time>;
}
