const REGION_ID = "announcements";

/** Leaves screen readers time to speak the text. It is removed afterwards, so that their users don't come across it. */
const LIFETIME_MS = 7_000;

/** The element for announcements. `announce` adds and removes its children without React. */
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
