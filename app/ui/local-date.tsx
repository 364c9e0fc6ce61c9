/** Made once: making one costs more than all else about a date. */
const dates = new Intl.DateTimeFormat("en-US", {
  month: "short",
  day: "numeric",
  year: "numeric",
  ...(typeof document === "undefined" && { timeZone: "UTC" }),
});

/**
 * Takes an ISO 8601 time, returns it as `MMM d, yyyy` in the viewer's own time zone (contract, Labels).
 * The server writes UTC; the document's intent script puts the viewer's day in before React does, hence the suppression.
 */
export function LocalDate({ time }: { time: string }) {
  return (
    <time dateTime={time} suppressHydrationWarning>
      {dates.format(new Date(time))}
    </time>
  );
}
