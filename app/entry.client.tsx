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

const isMailLink = readMailLink(location.href) !== null;
const { pathname, search, hash } = location;

if (isMailLink && pathname !== "/profile") {
  // Only that page shows what became of a link, and a hosted project may lead elsewhere.
  location.replace(`/profile${search}${hash}`);
} else if (pathname === "/profile" || holdsSession()) {
  hydrate();
} else {
  afterLoad(() => whenIdle(hydrate));
}
