import { use, useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useLocation } from "react-router";
import type { ContentRow } from "../../data/content-reads.ts";
import type { ListKind } from "../kind.ts";
import type { Search } from "../search/search.ts";
import { askPage, openList, refreshPage } from "./browser-list.ts";
import { cursorOf } from "./cursor.ts";
import type { ListPage } from "./page.ts";

/** Cards drawn with the first picture of a list, and added to it each time that its end comes near. */
const DRAWN_AT_ONCE = 60;
/** A longer list forgets its other end as it is scrolled. */
const MOST_CARDS = 600;
/** Cards fetched as the list is scrolled. */
const FETCHED_AT_ONCE = 24;

interface Shown<Row extends ContentRow> extends ListPage<Row> {
  drawn: number;
}

type Loaded<Row extends ContentRow> = ListPage<Row> | null;

/** Lists as they were left, for those who come back. */
const left = new Map<string, Shown<ContentRow>>();
const MOST_LEFT = 10;

function shown<Row extends ContentRow>(page: Loaded<Row>): Shown<Row> {
  return { cards: [], previous: null, next: null, ...page, drawn: DRAWN_AT_ONCE };
}

/** The list of a content page: what its loader found, what scrolling added, and how to bring it up to date. */
export function useList<Row extends ContentRow>(
  kind: ListKind<Row>,
  search: Search,
  loaded: Loaded<Row> | Promise<Loaded<Row>>,
) {
  const { key } = useLocation();
  const found = loaded instanceof Promise ? use(loaded) : loaded;
  const [answered, setAnswered] = useState(found);
  const [comesBackTo] = useState(() => left.get(key) as Shown<Row> | undefined);
  const [list, setList] = useState(comesBackTo ?? shown(found));
  // A load that failed changes nothing (specification §8).
  if (found && found !== answered) {
    setAnswered(found);
    setList(shown(found));
  }
  useEffect(() => openList(kind.table), [kind]);
  const now = useRef(list);
  useEffect(() => {
    now.current = list;
    left.delete(key);
    left.set(key, list as unknown as Shown<ContentRow>);
    for (const oldest of left.keys()) if (left.size > MOST_LEFT) left.delete(oldest);
  }, [key, list]);

  const element = useRef<HTMLDivElement>(null);
  const isExtending = useRef(false);
  const extend = useEffectEvent(async (end: "start" | "end") => {
    const first = list.cards[0];
    if (end === "end" && list.drawn < list.cards.length) {
      return setList({ ...list, drawn: list.drawn + DRAWN_AT_ONCE });
    }
    const before = end === "start" && list.previous && first && { before: cursorOf(first.item) };
    const after = end === "end" && list.next && { after: list.next };
    if (isExtending.current || !(before || after)) return;
    isExtending.current = true;
    // Who goes to the top of the page wants the top of the list.
    const isAtTop = before && (element.current?.getBoundingClientRect().top ?? 0) >= 0;
    const place = isAtTop ? {} : before || after || {};
    const page = await askPage<Row>(kind.table, { search, ...place, size: FETCHED_AT_ONCE }).catch(
      () => null,
    );
    isExtending.current = false;
    if (!page || now.current !== list) return;
    if (isAtTop) setList(shown(page));
    else withoutMoving(() => setList(joined(list, page, end)));
  });

  const refresh = useCallback(async () => {
    const fresh = await refreshPage(kind, search, now.current).catch(() => null);
    if (fresh) setList(({ drawn }) => ({ ...fresh, drawn: Math.max(drawn, DRAWN_AT_ONCE) }));
  }, [kind, search]);

  const catchUp = useEffectEvent(() => comesBackTo && refresh());
  useEffect(() => void catchUp(), []);

  return { list, setList, element, extend, refresh };
}

function joined<Row extends ContentRow>(
  list: Shown<Row>,
  page: ListPage<Row>,
  end: "start" | "end",
): Shown<Row> {
  const isEnd = end === "end";
  const cards = isEnd ? [...list.cards, ...page.cards] : [...page.cards, ...list.cards];
  const kept = isEnd ? cards.slice(-MOST_CARDS) : cards.slice(0, MOST_CARDS);
  const before = isEnd && cards.at(-kept.length - 1);
  const last = kept.at(-1);
  return {
    cards: kept,
    drawn: kept.length,
    previous: before ? cursorOf(before.item) : (isEnd ? list : page).previous,
    next: isEnd ? page.next : kept.length < cards.length && last ? cursorOf(last.item) : list.next,
  };
}

/** Keeps the first card on the screen where it is while cards come or go above it: Safari anchors no scrolling. */
function withoutMoving(change: () => void): void {
  const card = [...document.querySelectorAll("[data-list] article")].find(
    (each) => each.getBoundingClientRect().bottom > 0,
  );
  const top = card?.getBoundingClientRect().top ?? 0;
  flushSync(change);
  const moved = card?.isConnected ? card.getBoundingClientRect().top - top : 0;
  if (Math.abs(moved) >= 1) scrollBy({ top: moved, behavior: "instant" });
}
