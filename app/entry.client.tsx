import { startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { readMailLink } from "./session/mail-link.ts";
import { holdsSession } from "./session/storage.ts";

function hydrate(): void {
  // As a transition, hydration is split into slices and input is handled in between. Navigations are no transitions:
  // drawn in one go, a result is on the screen in half the time.
  startTransition(() => {
    hydrateRoot(document, <HydratedRouter useTransitions={false} />);
  });
}

function afterLoad(run: () => void): void {
  if (document.readyState === "complete") run();
  else addEventListener("load", run, { once: true });
}

/** Safari has no `requestIdleCallback`. */
const whenIdle = globalThis.requestIdleCallback ?? setTimeout;

if (location.pathname === "/profile" || holdsSession() || readMailLink(location)) {
  hydrate();
} else {
  afterLoad(() => whenIdle(hydrate));
}
