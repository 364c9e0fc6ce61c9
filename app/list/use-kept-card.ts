import { type RefObject, useEffect, useEffectEvent } from "react";
import { useLocation, useNavigation, useNavigationType } from "react-router";

interface KeptCard {
  id: string;
  /** The card's distance from the top of the viewport. */
  top: number;
}

/** Maps the key of a history entry to the card that had the focus there, or otherwise to the topmost visible card. */
const keptCards = new Map<string, KeptCard>();

/**
 * After Back or Forward, scrolls so that the card kept for this history entry is where it was in the viewport.
 * `<ScrollRestoration>` restores only a pixel offset, which is wrong if the cards above have changed since.
 */
export function useKeptCard(list: RefObject<Element | null>): void {
  const { key } = useLocation();
  const navigationType = useNavigationType();
  const { location: next } = useNavigation();

  const showCard = useEffectEvent(() => {
    const kept = keptCards.get(key);
    const card = kept && document.getElementById(kept.id);
    if (navigationType !== "POP" || !card) return;
    scrollBy({ top: card.getBoundingClientRect().top - kept.top, behavior: "instant" });
  });
  // Not a layout effect: this must run after `<ScrollRestoration>`'s layout effect, which would override the position.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each history entry has its own card
  useEffect(() => showCard(), [key]);

  const keepCard = useEffectEvent(() => {
    const cards = [...(list.current?.querySelectorAll("article") ?? [])];
    const followed = cards.find((card) => card.contains(document.activeElement));
    const card = followed ?? cards.find((each) => each.getBoundingClientRect().bottom > 0);
    if (card) keptCards.set(key, { id: card.id, top: card.getBoundingClientRect().top });
  });
  useEffect(() => {
    if (next) keepCard();
  }, [next]);
}
