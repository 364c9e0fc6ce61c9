import { memo, type ReactNode, type Ref, useEffect, useEffectEvent, useState } from "react";
import { flushSync } from "react-dom";
import type { ContentRow } from "../../data/content-reads.ts";
import { Empty } from "../../ui/panel.tsx";
import type { ListCard, ListPage } from "./page.ts";

/** How near an end of the list comes to the screen before it goes on (CSS pixels). */
const NEAR = "1200px";

export function CardList<Row extends ContentRow>({
  ref,
  list,
  marked,
  empty,
  renderCard,
  onNear,
  onPrint,
}: {
  ref: Ref<HTMLDivElement>;
  list: ListPage<Row> & { drawn: number };
  /** The id of the item that the address names. */
  marked: string | null;
  empty: string;
  renderCard(card: ListCard<Row>): ReactNode;
  onNear(end: "start" | "end"): void;
  onPrint(): void;
}) {
  const print = useEffectEvent(() => flushSync(onPrint));
  useEffect(() => {
    const onBeforePrint = () => print();
    addEventListener("beforeprint", onBeforePrint);
    return () => removeEventListener("beforeprint", onBeforePrint);
  }, []);
  const { cards, drawn, previous, next } = list;
  return (
    <div ref={ref} data-list="">
      {cards.length === 0 && <Empty>{empty}</Empty>}
      {previous && <End key={cards[0]?.version} onNear={() => onNear("start")} />}
      <div>
        {cards.slice(0, drawn).map((card) => (
          <Place
            key={card.item.id}
            card={card as ListCard<never>}
            isMarked={card.item.id === marked}
            renderCard={renderCard}
          />
        ))}
      </div>
      {(next || drawn < cards.length) && (
        <End key={`${drawn} ${cards.at(-1)?.version}`} onNear={() => onNear("end")} />
      )}
    </div>
  );
}

/** Drawn anew only when its card changes: adding to a list of thousands must not hold up scrolling. */
const Place = memo(function Place({
  card,
  isMarked,
  renderCard,
}: {
  card: ListCard<never>;
  isMarked: boolean;
  renderCard(card: ListCard<never>): ReactNode;
}) {
  return <div data-target={isMarked || undefined}>{renderCard(card)}</div>;
});

/** Tells once when it comes near the screen. */
function End({ onNear }: { onNear(): void }) {
  const [element, setElement] = useState<HTMLDivElement | null>(null);
  const tell = useEffectEvent(onNear);
  useEffect(() => {
    if (!element) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && tell(),
      { rootMargin: NEAR },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  return <div ref={setElement} data-end="" />;
}
