import { startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { RouterContextProvider } from "react-router";
import { HydratedRouter } from "react-router/dom";
import { createFailedLoads, FailedLoadsContext, failedLoadsContext } from "./router/failed-loads.ts";
import { indexTypedFragments } from "./router/history-index.ts";
import { buildVersion } from "./router/manifest.ts";
import { storeScrollPosition } from "./router/scroll-position.ts";
import { readMailLink } from "./session/mail-link.ts";
import { holdsSession } from "./session/storage.ts";
import { whenIdle } from "./ui/when-idle.ts";

let isStarted = false;

function hydrate(): void {
  if (isStarted) return;
  isStarted = true;
  storeScrollPosition();
  // In a transition, React hydrates in slices and handles input in between. Navigations are not transitions, because
  // rendering without slices shows the new page in half the time.
  startTransition(() => {
    const failedLoads = createFailedLoads();
    const getContext = () => new RouterContextProvider(new Map([[failedLoadsContext, failedLoads]]));
    hydrateRoot(
      document,
      <FailedLoadsContext value={failedLoads}>
        <HydratedRouter useTransitions={false} getContext={getContext} />
      </FailedLoadsContext>,
    );
  });
}

function afterLoad(run: () => void): void {
  if (document.readyState === "complete") run();
  else addEventListener("load", run, { once: true });
}

/**
 * Hydration starts after this time at the latest. Without a limit, a slow picture on another site could delay it for
 * minutes, and a busy browser that never becomes idle could prevent it.
 */
const LONGEST_WAIT_MS = 2_000;

const RELOADED_KEY = "techfolio.reloaded";

// After a deployment, open tabs request files of the old build, which the server no longer has. Reload to get the new
// build, but not twice with the same build at the same URL, because a page that still fails would reload forever.
addEventListener("vite:preloadError", () => {
  // Don't reload a page with unsaved input: losing the input is worse than a missing part, such as the preview.
  if (document.querySelector("[data-unsaved]")) return;
  const attempt = `${buildVersion()} ${location.href}`;
  if (!navigator.onLine || sessionStorage.getItem(RELOADED_KEY) === attempt) return;
  sessionStorage.setItem(RELOADED_KEY, attempt);
  location.reload();
});

indexTypedFragments();

if (location.pathname === "/profile" || holdsSession() || readMailLink(location)) {
  hydrate();
} else {
  afterLoad(() => whenIdle(hydrate));
  setTimeout(hydrate, LONGEST_WAIT_MS);
}
