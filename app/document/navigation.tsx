import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { ScrollRestoration, useLocation, useNavigation, useNavigationType } from "react-router";
import { announce } from "../ui/announce.tsx";
import { focusElement, focusHeading, focusTarget, mayMoveFocus } from "../ui/focus.ts";
import { useCurrentIndex } from "../ui/history-index.ts";
import { SlowProgress } from "../ui/slow-progress.tsx";
import { FailedPageLoad } from "./failed-page-load.tsx";
import { keepOpenedLink, openedTarget } from "./opened-link.ts";
import { usePlainLinks } from "./plain-links.ts";
import { PreloadPages } from "./preload-pages.tsx";
import { SCROLL_POSITIONS_KEY } from "./scroll-position.ts";
import { useSearchKey } from "./search-key.ts";
import { StartHelp } from "./start-help.tsx";

/** This is a separate component, so that a pending navigation does not re-render the rest of the document. */
export function Navigation() {
  // Call it before `useFocusAfterNavigation`, which keeps a focus that is already in the new page.
  useSearchKey();
  useFocusAfterNavigation();
  usePlainLinks();
  useCurrentIndex();
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

/**
 * Announces the new page and moves the focus to it, as screen readers and browsers do when a document is loaded. If the
 * URL has a fragment, focuses the card or heading that it names. After Back, focuses the card or link that the reader
 * had opened, and names it in the announcement. Otherwise, focuses the page's heading.
 */
function useFocusAfterNavigation(): void {
  const { pathname, hash, key } = useLocation();
  const navigationType = useNavigationType();
  const { location: next } = useNavigation();
  const previous = useRef<string>(undefined);
  // An error page mounts the whole document again, and so does the page after it. Only the first page was loaded.
  const isLoadedDocument = useRef(useIsHydrating());

  useEffect(() => {
    if (next) keepOpenedLink(key, next);
  }, [key, next]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the same link may be followed again
  useEffect(() => {
    const isFirst = previous.current === undefined && isLoadedDocument.current;
    const isNewPage = previous.current !== pathname;
    previous.current = pathname;
    const fragment = fragmentTarget(hash);
    const opened = navigationType === "POP" ? openedTarget(key) : null;
    if (isFirst) {
      // The browser has already handled a fragment that names no card.
      const target = opened ?? (fragment?.matches("article") ? focusTarget(fragment) : null);
      if (target && mayMoveFocus()) focusElement(target);
      return;
    }
    const target = opened ?? (fragment && focusTarget(fragment));
    // After Alt+Left, Orca says nothing about the focus.
    if (isNewPage)
      announce(opened?.matches(NAMED) ? `${document.title}: ${opened.textContent}` : document.title);
    if (target) focusElement(target);
    else if (isNewPage && !hasFocusInPage()) focusHeading();
  }, [pathname, hash, key]);
}

/** Elements with short texts, which can be announced as targets. */
const NAMED = "h1, h2, h3, a";

const subscribeToNothing = () => () => undefined;

/** Whether React is hydrating the document that the browser has loaded. */
const useIsHydrating = () =>
  useSyncExternalStore(
    subscribeToNothing,
    () => false,
    () => true,
  );

/** Whether the new page has already focused one of its elements, such as the notice about a deletion. */
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
