/** Expensive to create. */
const dates = new Intl.DateTimeFormat("en-US", {
  month: "short",
  day: "numeric",
  year: "numeric",
  ...(typeof document === "undefined" && { timeZone: "UTC" }),
});

/** The server writes UTC, and the document's script the viewer's day. HTML allows three digits of a second. */
export function LocalDate({ time }: { time: string }) {
  return (
    <time dateTime={new Date(time).toISOString()} suppressHydrationWarning>
      {dates.format(new Date(time))}
    </time>
  );
}
