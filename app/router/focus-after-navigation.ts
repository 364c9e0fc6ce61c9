import { useEffect, useLayoutEffect, useRef, useSyncExternalStore } from "react";
import { useLocation, useNavigation, useNavigationType } from "react-router";
import { announce } from "../ui/announce.tsx";
import {
  focusElement,
  focusInNewContent,
  focusTarget,
  focusWithSelection,
  mayMoveFocus,
} from "../ui/focus.ts";
import { dropPosition, keepPosition, keptPosition } from "./kept-positions.ts";
import { followedTarget, readingPosition, showCard } from "./reading-position.ts";

/**
 * Announces the new page and moves the focus to it, as screen readers and browsers do when a document is loaded. If the
 * URL has a fragment, focuses the card or heading that it names. After Back, focuses the link that the reader had opened
 * or, for another link of a card, the title's, and names it in the announcement. Otherwise, focuses the page's heading.
 */
export function useFocusAfterNavigation(): void {
  const { pathname, hash, key } = useLocation();
  const navigationType = useNavigationType();
  const { location: next } = useNavigation();
  const previous = useRef<string>(undefined);
  // An error page mounts the whole document again, and so does the page after it. Only the first page was loaded.
  const isLoadedDocument = useRef(useIsHydrating());

  // A layout effect, because a screen reader's reading position follows the focus only if it moves in the task that shows
  // the new content. It runs after those of the page, which can focus one of its elements, and after the one of
  // `<ScrollRestoration>`, which must be a child of this hook's component.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same link may be followed again
  useLayoutEffect(() => {
    const isFirst = previous.current === undefined && isLoadedDocument.current;
    const isNewPage = previous.current !== pathname;
    previous.current = pathname;
    const kept = navigationType === "POP" ? keptPosition(key) : undefined;
    if (kept) showCard(kept);
    const fragment = fragmentTarget(hash);
    const followed = kept ? followedTarget(kept) : null;
    if (isFirst) {
      // The browser has already handled a fragment that names no card.
      const target = followed ?? (fragment?.matches("article") ? focusTarget(fragment) : null);
      if (target && mayMoveFocus()) focusElement(target);
      return;
    }
    const target = followed ?? (fragment && focusTarget(fragment));
    // After Alt+Left, Orca says nothing about the focus.
    if (isNewPage)
      announce(followed?.matches(NAMED) ? `${document.title}: ${followed.textContent}` : document.title);
    // Orca ignores the focus if the last key before Alt+Left was an arrow, or if something precedes the page's heading.
    if (followed) focusInNewContent(followed);
    else if (target) focusWithSelection(target);
    else if (isNewPage && !hasFocusInPage()) focusMainHeading();
  }, [pathname, hash, key]);

  // Keep a position only for entries that the reader has left.
  useEffect(() => {
    if (next) keepPosition(key, readingPosition(next));
    else dropPosition(key);
  }, [key, next]);
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

function focusMainHeading(): void {
  const heading = document.querySelector<HTMLElement>("main h1");
  if (heading) focusInNewContent(heading);
}

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
