import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useLocation, useNavigate } from "react-router";
import { isUuid } from "../../data/addresses.ts";
import { useListener } from "../../ui/use-listener.ts";
import { withoutMoving } from "../../ui/without-moving.ts";
import type { KindDefinition } from "../kinds/kind-definition.ts";
import { formatSearch, type Search } from "../search/search.ts";
import { pageOfWhole, readPage, refreshPage } from "./browser-list.ts";
import { cursorOf, extendPage, type ListPage } from "./page.ts";

const ADDED_AT_ONCE = 24;
const NOTHING: ListPage = { cards: [], previous: null, next: null };

let left: { key: string; list: ListPage }[] = [];
const MOST_LEFT = 10;

export function useList(kind: KindDefinition, search: Search, found: ListPage | null) {
  const { key } = useLocation();
  const [comesBackTo] = useState(() => left.findLast((visit) => visit.key === key)?.list);
  const [answered, setAnswered] = useState(found);
  const [list, setList] = useState(comesBackTo ?? found ?? NOTHING);
  // A load that failed changes nothing (specification §8).
  if (found && found !== answered) {
    setAnswered(found);
    setList(found);
  }
  const now = useRef({ search, list });
  useLayoutEffect(() => {
    now.current = { search, list };
  });

  const refresh = useCallback(async () => {
    const { search, list } = now.current;
    const fresh = await refreshPage(kind.table, search, list).catch(() => null);
    if (fresh && now.current.search === search) setList(fresh);
  }, [kind]);
  useEffect(() => {
    if (comesBackTo) void refresh();
  }, [comesBackTo, refresh]);
  const leave = useEffectEvent(() => {
    left = [...left.filter((visit) => visit.key !== key), { key, list }].slice(-MOST_LEFT);
  });
  useEffect(() => () => leave(), []);

  useListener("beforeprint", () => {
    const all = pageOfWhole(kind, { search, size: Number.POSITIVE_INFINITY });
    if (all) flushSync(() => setList(all));
  });

  const element = useRef<HTMLDivElement>(null);
  async function extend(end: "start" | "end"): Promise<void> {
    // Who goes to the top of the page wants the top of the list.
    const isAtTop = (element.current?.getBoundingClientRect().top ?? 0) >= 0;
    const first = isAtTop ? undefined : list.cards[0];
    const place = end === "end" ? { after: list.next } : first && { before: cursorOf(first.item) };
    const page = await readPage(kind, { search, ...place, size: ADDED_AT_ONCE }).catch(() => null);
    if (!page || now.current.list !== list) return;
    const longer = place ? extendPage(list, page, end) : page;
    withoutMoving(document.querySelectorAll("[data-list] article"), () => setList(longer));
  }

  useFragment(search);
  return { list, element, extend, refresh };
}

function useFragment(search: Search): void {
  const { key, hash, search: query } = useLocation();
  const navigate = useNavigate();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same fragment may be navigated to again
  useEffect(() => {
    const id = hash.slice(1);
    const around = formatSearch(search, { around: id });
    if (!isUuid(id) || document.getElementById(id) || query === around) return;
    void navigate({ search: around, hash }, { replace: true });
  }, [key]);
}
