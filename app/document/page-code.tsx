import { useEffect, useState } from "react";
import { PrefetchPageLinks } from "react-router";
import { KINDS } from "../content/kinds/index.ts";

/** One URL for each kind of page that the top bar does not link to. */
const OTHER_PAGES = [...KINDS.map(({ path }) => `${path}/-`), "/people", "/profile/-"];

/**
 * Loads the code of the pages after hydration. React Router reloads the document if the code of a page cannot be
 * loaded, which would lose the current page while the network is down. Pages with a client loader prefetch no data.
 */
export function PageCode() {
  const [isHydrated, setIsHydrated] = useState(false);
  useEffect(() => setIsHydrated(true), []);
  return isHydrated && OTHER_PAGES.map((page) => <PrefetchPageLinks key={page} page={page} />);
}
