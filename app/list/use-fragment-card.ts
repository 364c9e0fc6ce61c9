import { useEffect, useEffectEvent } from "react";
import { useLocation, useNavigate } from "react-router";
import { isUuid } from "../../common/data/addresses.ts";
import { KEEP_SEARCH_FIELDS } from "./use-typed-search.ts";

/**
 * If the page has no card for the item in the URL's fragment, loads the part of the list around that item.
 * React Router then scrolls to the item's card.
 */
export function useFragmentCard(): void {
  const { key, hash, search } = useLocation();
  const navigate = useNavigate();
  const loadTarget = useEffectEvent(() => {
    const id = hash.slice(1);
    const query = new URLSearchParams(search);
    if (!isUuid(id) || document.getElementById(id) || query.get("around") === id) return;
    for (const name of ["after", "pages"]) query.delete(name);
    query.set("around", id);
    void navigate({ search: `?${query}`, hash }, { replace: true, state: KEEP_SEARCH_FIELDS });
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: following a link to the same fragment changes only the key, and typing a fragment may change only the hash
  useEffect(() => loadTarget(), [key, hash]);
}
