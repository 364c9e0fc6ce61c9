const REGION_ID = "announcements";

/** Long enough for screen readers to speak an announcement, but too short for users to come across an old one. */
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
