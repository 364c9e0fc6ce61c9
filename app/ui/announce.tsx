const REGION_ID = "announcements";

/** Long enough to be read out, short enough not to be found by a reader who browses the page. */
const KEPT_MS = 7_000;

/** The page's one live region. React renders it empty and leaves its children to `announce`. */
export function LiveRegion() {
  return <div id={REGION_ID} aria-live="polite" className="sr-only" />;
}

/** Has screen readers say `text` when they are next idle; nothing is seen. The same text may be said twice. */
export function announce(text: string): void {
  const line = document.createElement("p");
  line.textContent = text;
  document.getElementById(REGION_ID)?.append(line);
  setTimeout(() => line.remove(), KEPT_MS);
}
