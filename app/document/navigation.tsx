import { useEffect, useState } from "react";
import { ScrollRestoration, useLocation, useNavigation } from "react-router";
import { announce } from "../ui/announce.tsx";
import { focusHeading } from "../ui/focus.ts";
import { useShownIndex } from "../ui/history-index.ts";
import { FailedPageLoad } from "./failed-page-load.tsx";
import { PageCode } from "./page-code.tsx";
import { usePlainLinks } from "./plain-links.ts";
import { SCROLL_POSITIONS_KEY } from "./scroll-position.ts";
import { setShownPath, shownPath } from "./shown-path.ts";
import { StartHelp } from "./start-help.tsx";

/** This is a separate component, so that a pending navigation does not re-render the rest of the document. */
export function Navigation() {
  useFocusAfterNavigation();
  usePlainLinks();
  useShownIndex();
  const isSlow = useSlowNavigation();
  const [isHydrated, setIsHydrated] = useState(false);
  useEffect(() => setIsHydrated(true), []);
  return (
    <>
      {isHydrated ? <PageCode /> : <StartHelp />}
      <FailedPageLoad />
      {isSlow && <div role="progressbar" aria-label="Loading" className="progress" />}
      <ScrollRestoration storageKey={SCROLL_POSITIONS_KEY} />
    </>
  );
}

/** Faster navigations, such as most searches, show no progress bar. */
const SLOW_MS = 150;

function useSlowNavigation(): boolean {
  const isPending = useNavigation().state !== "idle";
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    if (!isPending) return setIsSlow(false);
    const timer = setTimeout(() => setIsSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, [isPending]);
  return isSlow;
}

/** Announces the new page and moves the focus to it, as screen readers and browsers do when a document is loaded. */
function useFocusAfterNavigation(): void {
  const { pathname, hash, key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same link may be followed again
  useEffect(() => {
    const isFirst = shownPath() === undefined;
    const isNewPage = shownPath() !== pathname;
    setShownPath(pathname);
    if (isFirst) return;
    if (isNewPage) announce(document.title);
    const target = fragmentTarget(hash);
    if (target) focusHeading(target);
    else if (isNewPage) focusHeading();
  }, [pathname, hash, key]);
}

function fragmentTarget(hash: string): HTMLElement | null {
  try {
    return document.getElementById(decodeURIComponent(hash.slice(1)));
  } catch {
    // The fragment has a malformed percent-encoding, so it names no element.
    return null;
  }
}
