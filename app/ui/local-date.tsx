const FORMAT: Intl.DateTimeFormatOptions = { month: "short", day: "numeric", year: "numeric" };

/**
 * Takes an ISO 8601 time, returns it as `MMM d, yyyy` in the viewer's own time zone (contract, Labels).
 * The server writes UTC; the document's starter puts the viewer's day in before React does, hence the suppression.
 */
export function LocalDate({ time }: { time: string }) {
  const zone = typeof document === "undefined" ? { timeZone: "UTC" } : {};
  return (
    <time dateTime={time} suppressHydrationWarning>
      {new Intl.DateTimeFormat("en-US", { ...FORMAT, ...zone }).format(new Date(time))}
    </time>
  );
}
