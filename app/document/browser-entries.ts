import { useEffect } from "react";
import { useLocation } from "react-router";
import { placeInHistory } from "../ui/place-in-history.ts";

let last: { place: number | undefined; pathname: string; href: string } | undefined;

function remember(): void {
  last = { place: placeInHistory(), pathname: location.pathname, href: location.href };
}

function complete(): void {
  if (history.state === null && last?.place !== undefined && last.pathname === location.pathname) {
    // The same link again may replace the entry that it made.
    const idx = last.href === location.href ? last.place : last.place + 1;
    history.replaceState({ idx, key: Math.random().toString(36).slice(2) }, "");
  }
  remember();
}

// Now, since React Router's own listener is to come after it.
if (typeof document !== "undefined") addEventListener("popstate", complete);

/**
 * Links within a page and fragments typed by hand make entries without a state. They get what React Router's own entries
 * have, before it looks: their place, by which it goes back where it is blocked, and a key.
 */
export function useBrowserEntries(): void {
  const { key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each navigation has its own place in the history
  useEffect(remember, [key]);
}
