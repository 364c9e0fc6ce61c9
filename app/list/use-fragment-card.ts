import { useEffect, useEffectEvent } from "react";
import { useLocation, useNavigate } from "react-router";
import { isUuid } from "../data/addresses.ts";
import { KEEP_SEARCH_FIELDS } from "./use-typed-search.ts";

/** Loads the list around the item in the URL's fragment, unless its card is shown. React Router then scrolls to it. */
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: a link to the same fragment may be followed again, and a fragment that is typed has no key of its own
  useEffect(() => loadTarget(), [key, hash]);
}
