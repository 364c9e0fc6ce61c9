/** Made once: making one costs more than all else about a date. */
const dates = new Intl.DateTimeFormat("en-US", {
  month: "short",
  day: "numeric",
  year: "numeric",
  ...(typeof document === "undefined" && { timeZone: "UTC" }),
});

/**
 * An ISO 8601 time as `MMM d, yyyy` in the viewer's own time zone (contract, Labels). The server writes UTC and the
 * document's script puts in the viewer's day, hence the suppression. HTML allows three digits of a second.
 */
export function LocalDate({ time }: { time: string }) {
  return (
    <time dateTime={new Date(time).toISOString()} suppressHydrationWarning>
      {dates.format(new Date(time))}
    </time>
  );
}
