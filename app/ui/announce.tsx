const REGION_ID = "announcements";

/**
 * An announcement stays in the page for this time: long enough for screen readers to speak it, but so short that their
 * users don't come across it later while they read the page.
 */
const LIFETIME_MS = 7_000;

/** A live region. `announce` adds and removes its children without React. */
export function LiveRegion() {
  return <div id={REGION_ID} aria-live="polite" className="sr-only" />;
}

/** Makes screen readers speak the text. */
export function announce(text: string): void {
  const line = document.createElement("p");
  line.textContent = text;
  document.getElementById(REGION_ID)?.append(line);
  setTimeout(() => line.remove(), LIFETIME_MS);
}
