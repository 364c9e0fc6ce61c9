import { use, useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useLocation } from "react-router";
import type { ContentRow } from "../../data/content-reads.ts";
import type { ListKind } from "../kind.ts";
import type { Search } from "../search/search.ts";
import { readPage, refreshPage } from "./browser-list.ts";
import { cursorOf } from "./cursor.ts";
import { joinPages, type ListPage } from "./page.ts";

const ADDED_AT_ONCE = 24;
const NOTHING = { cards: [], previous: null, next: null };

/** Lists as they were left, for those who come back. */
const left = new Map<string, ListPage<ContentRow>>();
const MOST_LEFT = 10;

type Loaded<Row extends ContentRow> = ListPage<Row> | null;

/** The list of a content page: what its loader found, what scrolling added, and how to bring it up to date. */
export function useList<Row extends ContentRow>(
  kind: ListKind<Row>,
  search: Search,
  loaded: Loaded<Row> | Promise<Loaded<Row>>,
) {
  const { key } = useLocation();
  const found = loaded instanceof Promise ? use(loaded) : loaded;
  const [answered, setAnswered] = useState(found);
  const [comesBackTo] = useState(() => left.get(key) as Loaded<Row> | undefined);
  const [list, setList] = useState<ListPage<Row>>(comesBackTo ?? found ?? NOTHING);
  // A load that failed changes nothing (specification §8).
  if (found && found !== answered) {
    setAnswered(found);
    setList(found);
  }
  const now = useRef(list);
  useEffect(() => {
    now.current = list;
    left.delete(key);
    left.set(key, list as unknown as ListPage<ContentRow>);
    const [oldest = key] = left.keys();
    if (left.size > MOST_LEFT) left.delete(oldest);
  }, [key, list]);

  const element = useRef<HTMLDivElement>(null);
  const extend = useEffectEvent(async (end: "start" | "end") => {
    const [first] = list.cards;
    // Who goes to the top of the page wants the top of the list.
    const isAtTop = end === "start" && (element.current?.getBoundingClientRect().top ?? 0) >= 0;
    const before = first && !isAtTop ? { before: cursorOf(first.item) } : {};
    const place = end === "end" ? { after: list.next } : before;
    const page = await readPage(kind, { search, ...place, size: ADDED_AT_ONCE }).catch(() => null);
    if (!page || now.current !== list) return;
    if (isAtTop) setList(page);
    else
      withoutMoving(() =>
        setList(end === "end" ? joinPages(list, page, "end") : joinPages(page, list, "start")),
      );
  });

  const refresh = useCallback(async () => {
    const fresh = await refreshPage(kind, search, now.current).catch(() => null);
    if (fresh) setList(fresh);
  }, [kind, search]);

  const catchUp = useEffectEvent(() => comesBackTo && refresh());
  useEffect(() => void catchUp(), []);

  return { list, setList, element, extend, refresh };
}

/** Keeps the first card on the screen where it is while cards come or go above it: Safari anchors no scrolling. */
function withoutMoving(change: () => void): void {
  const cards = [...document.querySelectorAll("[data-list] article")];
  const card = cards.find((each) => each.getBoundingClientRect().bottom > 0);
  const top = card?.getBoundingClientRect().top ?? 0;
  flushSync(change);
  const moved = card?.isConnected ? card.getBoundingClientRect().top - top : 0;
  if (Math.abs(moved) >= 1) scrollBy({ top: moved, behavior: "instant" });
}
