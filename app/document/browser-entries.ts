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

/** Gives the entries of in-page links and typed fragments what React Router's have: a key, and a place to go back from. */
export function useBrowserEntries(): void {
  const { key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each navigation has its own place in the history
  useEffect(remember, [key]);
}
