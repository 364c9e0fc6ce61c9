const REGION_ID = "announcements";

/** Long enough for a screen reader to speak it, but gone before the reader browses there. */
const KEPT_MS = 7_000;

/** `announce` manages its children, not React. */
export function LiveRegion() {
  return <div id={REGION_ID} aria-live="polite" className="sr-only" />;
}

export function announce(text: string): void {
  const line = document.createElement("p");
  line.textContent = text;
  document.getElementById(REGION_ID)?.append(line);
  setTimeout(() => line.remove(), KEPT_MS);
}
