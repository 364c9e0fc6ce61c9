/**
 * In-page links and typed fragments make entries without what React Router keeps in its own: a place to count from, and
 * a key. Browsers that cannot tell the place leave them so.
 */
function complete(): void {
  const idx = window.navigation?.currentEntry?.index;
  if (history.state !== null || idx === undefined) return;
  history.replaceState({ idx, key: Math.random().toString(36).slice(2) }, "");
}

// Both come before React Router looks: this file is run before its router is made.
if (typeof document !== "undefined") {
  complete();
  addEventListener("popstate", complete);
}
