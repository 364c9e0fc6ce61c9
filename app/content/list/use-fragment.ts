import { type Dispatch, type SetStateAction, useEffect, useEffectEvent, useState } from "react";
import { flushSync } from "react-dom";
import { useLocation } from "react-router";
import type { ContentRow } from "../../data/content-reads.ts";
import type { ListKind } from "../kind.ts";
import type { Search } from "../search/search.ts";
import { askPage } from "./browser-list.ts";
import type { ListPage } from "./page.ts";

const UUID = /^#([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

type Shown<Row extends ContentRow> = ListPage<Row> & { drawn: number };

/**
 * Brings the item that the address names into view, once for each navigation: what was on the page already the browser
 * or the router has found. Returns its id.
 */
export function useFragment<Row extends ContentRow>(
  kind: ListKind<Row>,
  search: Search,
  list: Shown<Row>,
  setList: Dispatch<SetStateAction<Shown<Row>>>,
): string | null {
  const { key, hash } = useLocation();
  const [marked, setMarked] = useState<string | null>(null);
  const resolve = useEffectEvent(async (id: string, isCurrent: () => boolean) => {
    const place = list.cards.findIndex(({ item }) => item.id === id);
    if (place >= 0 && place < list.drawn) return setMarked(id);
    const page = place >= 0 ? list : await askPage<Row>(kind.table, { search, around: id }).catch(() => null);
    if (!page || !isCurrent()) return;
    flushSync(() => {
      setMarked(id);
      setList({ ...page, drawn: Math.max(list.drawn, place + list.drawn) });
    });
    document.getElementById(id)?.scrollIntoView({ behavior: "instant" });
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: the same fragment may be navigated to again
  useEffect(() => {
    const id = UUID.exec(hash)?.[1];
    if (!id) return setMarked(null);
    let isCurrent = true;
    const end = () => {
      isCurrent = false;
    };
    // Whoever scrolls meanwhile wants to be elsewhere.
    addEventListener("wheel", end, { passive: true });
    addEventListener("touchmove", end, { passive: true });
    void resolve(id, () => isCurrent);
    return () => {
      end();
      removeEventListener("wheel", end);
      removeEventListener("touchmove", end);
    };
  }, [key, hash]);
  return marked;
}
