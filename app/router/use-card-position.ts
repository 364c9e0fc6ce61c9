import { type RefObject, useEffect, useEffectEvent } from "react";
import { useLocation, useNavigation, useNavigationType } from "react-router";
import { cardPosition, keepCardPosition } from "./card-position.ts";

/**
 * After Back or Forward, scrolls so that the card kept for this history entry is where it was in the viewport.
 * `<ScrollRestoration>` restores only a pixel offset, which is wrong if the cards above have changed since.
 */
export function useCardPosition(list: RefObject<Element | null>): void {
  const { key } = useLocation();
  const navigationType = useNavigationType();
  const { location: next } = useNavigation();

  const showCard = useEffectEvent(() => {
    const kept = navigationType === "POP" ? cardPosition(key) : undefined;
    const card = kept && document.getElementById(kept.id);
    if (!card) return;
    scrollBy({ top: card.getBoundingClientRect().top - kept.top, behavior: "instant" });
  });
  // Not a layout effect: this must run after `<ScrollRestoration>`'s layout effect, which would override the position.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each history entry has its own card
  useEffect(() => showCard(), [key]);

  const keepShownCard = useEffectEvent((path: string) => {
    const cards = [...(list.current?.querySelectorAll("article") ?? [])];
    // Safari doesn't focus a clicked link, so also compare the path of the page that is opening.
    const opened = cards.find(
      (card) => card.contains(document.activeElement) || path.endsWith(`/${card.id}`),
    );
    const card = opened ?? cards.find((each) => each.getBoundingClientRect().bottom > 0);
    if (!card) return;
    keepCardPosition(key, { id: card.id, top: card.getBoundingClientRect().top });
  });
  useEffect(() => {
    if (next) keepShownCard(next.pathname);
  }, [next]);
}
