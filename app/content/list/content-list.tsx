import { memo, type ReactNode, useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { ContentRow } from "../../data/content-reads.ts";
import { Empty } from "../../ui/panel.tsx";
import type { CardData } from "../kind.ts";
import type { CardList } from "./card-list.ts";
import { VirtualList } from "./virtual-list.tsx";

/** A card that is on its way; the same box with nothing in it yet. */
const Placeholder = () => (
  <div aria-hidden="true" className="h-80 rounded-lg border border-line bg-surface" />
);

/**
 * Takes a list, how a card of it is shown, and the text of an empty one; returns the cards, or that text. It is drawn
 * anew when one of these changes, not with each key that is typed into the search.
 */
export const ContentList = memo(Cards) as typeof Cards;

function Cards<Row extends ContentRow>({
  list,
  identity,
  renderCard,
  empty,
  hasMore,
  onNeedAll,
}: {
  list: CardList<Row>;
  /** Changes when another list takes this one's place. */
  identity: string;
  renderCard(card: CardData<Row>): ReactNode;
  empty: string;
  /** Whether the list goes on behind the cards that the page began with. */
  hasMore: boolean;
  /** Told when the last card that is known comes close, or when the address names one that is not here. */
  onNeedAll(): void;
}) {
  useSyncExternalStore(list.subscribe, list.version, list.version);
  const target = useTarget(list, onNeedAll);
  const onRange = useCallback((start: number, end: number) => list.want(start, end), [list]);
  if (list.count === 0) {
    return (
      <div data-list="">
        <Empty>{empty}</Empty>
      </div>
    );
  }
  return (
    <>
      <VirtualList
        count={list.count}
        isHere={list.isWhole}
        identity={identity}
        target={target}
        keyOf={(index) => list.at(index)?.item.id ?? index}
        renderPlace={(index) => {
          const card = list.at(index);
          return card ? renderCard(card) : <Placeholder />;
        }}
        onRange={onRange}
        className="space-y-5"
      />
      {hasMore && <End onNear={onNeedAll} />}
    </>
  );
}

/** Stands behind the last card while more follow it, and tells when it comes close to the screen. */
function End({ onNear }: { onNear(): void }) {
  const [element, setElement] = useState<HTMLDivElement | null>(null);
  useEffect(() => {
    if (!element) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && onNear(),
      {
        rootMargin: "1200px",
      },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [element, onNear]);
  return <div ref={setElement} data-end="" />;
}

/** Returns the id that the address names. */
function idInAddress(): string {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return "";
  }
}

/** Returns the place of the item that the address names, when it was not on the page when it arrived. */
function useTarget<Row extends ContentRow>(list: CardList<Row>, onMissing: () => void): number | null {
  const [target, setTarget] = useState<number | null>(null);
  /** The id that was not on the page when it was named: once its card comes, nobody else leads there. */
  const missing = useRef("");
  useEffect(() => {
    let isCurrent = true;
    const find = () => {
      const id = idInAddress();
      if (!id || (document.getElementById(id) && missing.current !== id)) return;
      missing.current = id;
      list.placeOf(id).then(
        (place) => {
          if (!isCurrent) return;
          setTarget(place);
          if (place === null) onMissing();
          else missing.current = "";
        },
        () => undefined,
      );
    };
    find();
    addEventListener("hashchange", find);
    return () => {
      isCurrent = false;
      removeEventListener("hashchange", find);
    };
  }, [list, onMissing]);
  return target;
}
