import {
  type MouseEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from "react";
import { Link, useLocation } from "react-router";
import { focusHeading, isFocusFree } from "../ui/focus.ts";
import { Empty } from "../ui/panel.tsx";
import type { usePages } from "./use-pages.ts";

const BUTTON =
  "inline-flex min-h-11 items-center justify-center border-2 border-ink px-4 text-base font-semibold hover:bg-marker hover:text-on-marker";

/** How far below the viewport the next page is requested (CSS pixels). */
const NEAR = "1200px";

interface PagedListProps<Card> extends ReturnType<typeof usePages<Card>> {
  ref?: Ref<HTMLDivElement>;
  /** The query of the list's first page. */
  startSearch: string;
  empty: string;
  /** The card to mark instead of the one that the URL's fragment names. */
  markedId?: string | null;
  idOf(card: Card): string;
  renderCard(card: Card): ReactNode;
}

export function PagedList<Card>(props: PagedListProps<Card>) {
  const { ref, list, nextSearch, showMore, startSearch, empty, markedId, idOf, renderCard } = props;
  const target = useTarget();
  const marked = markedId ?? target;
  const element = useRef<HTMLDivElement>(null);
  /** The card to focus once the next page is here. */
  const focused = useRef<number>(undefined);

  const focusAdded = useEffectEvent(() => {
    if (focused.current === undefined || focused.current >= list.cards.length) return;
    const added = element.current?.querySelectorAll<HTMLElement>("article")[focused.current];
    focused.current = undefined;
    if (isFocusFree(element.current?.parentElement)) focusHeading(added);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a longer list has more cards
  useEffect(() => focusAdded(), [list]);

  function onClick(event: MouseEvent) {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    focused.current = list.cards.length;
    showMore();
  }

  return (
    <div ref={ref} data-list="">
      {list.after && (
        <Link to={{ search: startSearch }} className={`${BUTTON} mb-6`}>
          Start of the List
        </Link>
      )}
      {list.cards.length === 0 && <Empty>{empty}</Empty>}
      <div ref={element}>
        {list.cards.map((card) => (
          <div key={idOf(card)} data-target={idOf(card) === marked || undefined}>
            {renderCard(card)}
          </div>
        ))}
      </div>
      {nextSearch && <ShowMore key={nextSearch} search={nextSearch} onNear={showMore} onClick={onClick} />}
    </div>
  );
}

interface ShowMoreProps {
  search: string;
  onNear(): void;
  onClick(event: MouseEvent): void;
}

/** Clicks itself when it comes near the viewport. It stays after a failed request. */
function ShowMore({ search, onNear, onClick }: ShowMoreProps) {
  const element = useRef<HTMLAnchorElement>(null);
  const near = useEffectEvent(onNear);
  useEffect(() => {
    if (!element.current) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && near(),
      { rootMargin: NEAR },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return (
    <Link ref={element} to={{ search }} onClick={onClick} className={`${BUTTON} mt-6`}>
      Show More
    </Link>
  );
}

/** The id of the card that the URL's fragment names. The mark stays when the reader loads more. */
function useTarget(): string {
  const { hash } = useLocation();
  const [target, setTarget] = useState("");
  // After hydration, because the server doesn't know the fragment.
  useEffect(() => {
    if (hash) setTarget(hash.slice(1));
  }, [hash]);
  return target;
}
