import { memo, type ReactNode, type Ref, useEffect, useEffectEvent, useState } from "react";
import type { ContentRow, ContentTable } from "../../data/content-reads.ts";
import { Empty } from "../../ui/panel.tsx";
import type { ListCard, ListPage } from "./page.ts";

/** How near an end of the list comes to the screen before it goes on (CSS pixels). */
const NEAR = "1200px";

export function CardList<Row extends ContentRow>({
  ref,
  table,
  list,
  marked,
  empty,
  renderCard,
  onNear,
}: {
  ref: Ref<HTMLDivElement>;
  table: ContentTable;
  list: ListPage<Row>;
  marked: string | null;
  empty: string;
  renderCard(card: ListCard<Row>): ReactNode;
  onNear(end: "start" | "end"): void;
}) {
  const { cards, previous, next } = list;
  const extent = `${cards[0]?.version} ${cards.at(-1)?.version}`;
  return (
    <div ref={ref} data-list={table}>
      {cards.length === 0 && <Empty>{empty}</Empty>}
      {previous && <End key={`start ${extent}`} onNear={() => onNear("start")} />}
      <div>
        {cards.map((card) => (
          <Place
            key={card.item.id}
            card={card as ListCard<never>}
            isMarked={card.item.id === marked}
            renderCard={renderCard}
          />
        ))}
      </div>
      {next && <End key={`end ${extent}`} onNear={() => onNear("end")} />}
    </div>
  );
}

/** Drawn anew only when its card changes: adding to a list of hundreds must not hold up scrolling. */
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
