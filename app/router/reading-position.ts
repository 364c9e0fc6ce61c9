import { createPath, type Location } from "react-router";
import { focusTarget } from "../ui/focus.ts";
import type { KeptPosition } from "./kept-positions.ts";

const linksInPage = () => [...document.querySelectorAll<HTMLAnchorElement>("main a[href]")];
const hrefOf = (link: Element) => link.getAttribute("href") ?? "";

/** Returns where the reader is while `next` opens. */
export function readingPosition(next: Location): KeptPosition {
  const link = followedLink(createPath(next));
  const card = link?.closest("article") ?? shownCard();
  const position = { href: link && hrefOf(link) };
  return card ? { ...position, cardId: card.id, cardTop: card.getBoundingClientRect().top } : position;
}

/** The link in the page's main part that the reader has followed. */
function followedLink(path: string): HTMLAnchorElement | undefined {
  const focused = document.activeElement;
  const isLinkElsewhere = focused?.matches("a[href]") && !focused.closest("main");
  if (isLinkElsewhere) return undefined;
  // Safari doesn't focus a link that is clicked, so also look for the link to the page that is opening.
  const links = linksInPage().filter((link) => hrefOf(link) === path);
  return links.find((link) => link === focused) ?? links[0];
}

/** The card of a list that has the focus or, otherwise, the topmost visible one. */
function shownCard(): Element | undefined {
  const cards = [...document.querySelectorAll(".paged-list article")];
  const focused = cards.find((card) => card.contains(document.activeElement));
  return focused ?? cards.find((card) => card.getBoundingClientRect().bottom > 0);
}

/**
 * Scrolls so that the card is where it was in the viewport. `<ScrollRestoration>` restores only a pixel offset, which is
 * wrong if the cards above have changed since.
 */
export function showCard({ cardId, cardTop }: KeptPosition): void {
  const card = cardId === undefined ? null : document.getElementById(cardId);
  if (!card?.closest(".paged-list") || cardTop === undefined) return;
  scrollBy({ top: card.getBoundingClientRect().top - cardTop, behavior: "instant" });
}

/** Where to move the focus after Back: the heading with the followed link, or of its card, or the link itself. */
export function followedTarget({ href, cardId }: KeptPosition): HTMLElement | null {
  if (href === undefined) return null;
  const card = cardId ? document.getElementById(cardId) : null;
  const links = linksInPage().filter((link) => hrefOf(link) === href);
  const isInCard = links.length === 0 || links.some((link) => card?.contains(link));
  const part = isInCard ? card : links[0];
  return part ? focusTarget(part) : null;
}
