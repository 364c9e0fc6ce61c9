import { createPath, type Location } from "react-router";
import { focusTarget } from "../ui/focus.ts";

const STORAGE_KEY = "techfolio.opened-links";

/** The link that a reader followed from a history entry. */
interface OpenedLink {
  href: string;
  /** The id of the card that contains the link. Undefined outside of cards. */
  cardId?: string | undefined;
}

function readAll(): Record<string, OpenedLink> {
  try {
    return JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? "{}");
  } catch {
    return {};
  }
}

const linksInPage = () => [...document.querySelectorAll<HTMLAnchorElement>("main a[href]")];
const hrefOf = (link: Element) => link.getAttribute("href") ?? "";

/**
 * Remembers which link in the page's main part the reader follows from a history entry.
 *
 * @param key the key of the history entry (`useLocation().key`)
 */
export function keepOpenedLink(key: string, next: Location): void {
  const focused = document.activeElement;
  const isLinkElsewhere = focused?.matches("a[href]") && !focused.closest("main");
  if (isLinkElsewhere) return;
  const path = createPath(next);
  // Safari doesn't focus a link that is clicked, so also look for the link to the page that is opening.
  const links = linksInPage().filter((link) => hrefOf(link) === path);
  const link = links.find((each) => each === focused) ?? links[0];
  if (!link) return;
  const opened: OpenedLink = { href: path, cardId: link.closest("article")?.id };
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ ...readAll(), [key]: opened }));
  } catch {
    // Storage is full or unavailable, so Back focuses the page's heading.
  }
}

/** What to focus after Back to a history entry: the heading with the opened link, or of its card, or the link itself. */
export function openedTarget(key: string): HTMLElement | null {
  const opened = readAll()[key];
  if (!opened) return null;
  const card = opened.cardId ? document.getElementById(opened.cardId) : null;
  const part = card ?? linksInPage().find((link) => hrefOf(link) === opened.href);
  return part ? focusTarget(part) : null;
}
