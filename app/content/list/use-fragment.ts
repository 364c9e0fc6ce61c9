import { useEffect, useEffectEvent, useState } from "react";
import { flushSync } from "react-dom";
import { useLocation } from "react-router";
import type { ContentRow } from "../../data/content-reads.ts";
import type { ListKind } from "../kind.ts";
import type { Search } from "../search/search.ts";
import { askServer } from "./browser-list.ts";
import type { ListPage } from "./page.ts";

const UUID = /^#([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

/**
 * Brings the item that the address names into view, once for each navigation: what was on the page already the browser
 * or the router has found. Returns its id.
 */
export function useFragment<Row extends ContentRow>(
  kind: ListKind<Row>,
  search: Search,
  setList: (list: ListPage<Row>) => void,
): string | null {
  const { key, hash } = useLocation();
  const [marked, setMarked] = useState<string | null>(null);
  const resolve = useEffectEvent(async (id: string, signal: AbortSignal) => {
    if (document.getElementById(id)) return setMarked(id);
    const page = await askServer<Row>(kind.table, { search, around: id }, { signal }).catch(() => null);
    if (!page || signal.aborted) return;
    flushSync(() => {
      setMarked(id);
      setList(page);
    });
    document.getElementById(id)?.scrollIntoView({ behavior: "instant" });
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: the same fragment may be navigated to again
  useEffect(() => {
    const id = UUID.exec(hash)?.[1];
    if (!id) return setMarked(null);
    const ending = new AbortController();
    const { signal } = ending;
    // Whoever scrolls meanwhile wants to be elsewhere.
    for (const sign of ["wheel", "touchmove"])
      addEventListener(sign, () => ending.abort(), { passive: true, signal });
    void resolve(id, signal);
    return () => ending.abort();
  }, [key, hash]);
  return marked;
}
