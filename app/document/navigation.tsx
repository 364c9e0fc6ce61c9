import { useEffect, useRef, useState } from "react";
import { ScrollRestoration, useLocation, useNavigation } from "react-router";
import { announce } from "../ui/announce.tsx";
import { focusHeading } from "../ui/focus.ts";
import { useShownIndex } from "../ui/history-index.ts";
import { SlowProgress } from "../ui/slow-progress.tsx";
import { FailedPageLoad } from "./failed-page-load.tsx";
import { usePlainLinks } from "./plain-links.ts";
import { PreloadPages } from "./preload-pages.tsx";
import { SCROLL_POSITIONS_KEY } from "./scroll-position.ts";
import { useSearchKey } from "./search-key.ts";
import { StartHelp } from "./start-help.tsx";

/** This is a separate component, so that a pending navigation does not re-render the rest of the document. */
export function Navigation() {
  // Before `useFocusAfterNavigation`, which leaves the focus where it is in the new page.
  useSearchKey();
  useFocusAfterNavigation();
  usePlainLinks();
  useShownIndex();
  const isPending = useNavigation().state !== "idle";
  const [isHydrated, setIsHydrated] = useState(false);
  useEffect(() => setIsHydrated(true), []);
  return (
    <>
      {isHydrated ? <PreloadPages /> : <StartHelp />}
      <FailedPageLoad />
      <SlowProgress isPending={isPending} />
      <ScrollRestoration storageKey={SCROLL_POSITIONS_KEY} />
    </>
  );
}

/** Announces the new page and moves the focus to it, as screen readers and browsers do when a document is loaded. */
function useFocusAfterNavigation(): void {
  const { pathname, hash, key } = useLocation();
  const previous = useRef<string>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same link may be followed again
  useEffect(() => {
    const isFirst = previous.current === undefined;
    const isNewPage = previous.current !== pathname;
    previous.current = pathname;
    if (isFirst) return;
    if (isNewPage) announce(document.title);
    const target = fragmentTarget(hash);
    if (target) focusHeading(target);
    else if (isNewPage && !hasFocusInPage()) focusHeading();
  }, [pathname, hash, key]);
}

/** Whether the new page has already focused one of its elements, such as the card that the reader had opened. */
function hasFocusInPage(): boolean {
  return document.querySelector("main :focus") !== null;
}

function fragmentTarget(hash: string): HTMLElement | null {
  try {
    return document.getElementById(decodeURIComponent(hash.slice(1)));
  } catch {
    // The fragment has a malformed percent-encoding, so it names no element.
    return null;
  }
}
