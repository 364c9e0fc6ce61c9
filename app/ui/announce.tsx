const REGION_ID = "announcements";

/** Long enough to be read out, too short to be met while browsing the page. */
const KEPT_MS = 7_000;

/** React leaves its children to `announce`. */
export function LiveRegion() {
  return <div id={REGION_ID} aria-live="polite" className="sr-only" />;
}

export function announce(text: string): void {
  const line = document.createElement("p");
  line.textContent = text;
  document.getElementById(REGION_ID)?.append(line);
  setTimeout(() => line.remove(), KEPT_MS);
}
