import { type ReactNode, useEffect, useState } from "react";
import { useLocation } from "react-router";
import { Empty } from "../../ui/panel.tsx";
import { whenNear } from "../../ui/when-near.ts";
import type { ListCard } from "./page.ts";
import type { useList } from "./use-list.ts";

interface CardListProps extends Pick<ReturnType<typeof useList>, "list" | "element" | "extend"> {
  table: string;
  empty: string;
  renderCard(card: ListCard): ReactNode;
}

export function CardList({ list, element, extend, table, empty, renderCard }: CardListProps) {
  const { hash } = useLocation();
  const [target, setTarget] = useState("");
  // Once hydrated: no server knows the fragment.
  useEffect(() => setTarget(hash.slice(1)), [hash]);
  return (
    <div ref={element} data-list={table}>
      {list.cards.length === 0 && <Empty>{empty}</Empty>}
      {list.previous && <div ref={whenNear(() => void extend("start"))} data-end="" />}
      <div>
        {list.cards.map((card) => (
          <div key={card.item.id} data-target={card.item.id === target || undefined}>
            {renderCard(card)}
          </div>
        ))}
      </div>
      {list.next && <div ref={whenNear(() => void extend("end"))} data-end="" />}
    </div>
  );
}
