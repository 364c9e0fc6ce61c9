import { useEffect, useState } from "react";
import { PrefetchPageLinks } from "react-router";
import { KINDS } from "../../common/kinds/index.ts";
import { whenIdle } from "../ui/when-idle.ts";

/** An example URL of each kind of page. */
const PAGES = ["/", "/people", "/profile", "/profile/-", ...KINDS.flatMap(({ path }) => [path, `${path}/-`])];

/**
 * Preloads the code of all pages after hydration. If a page's code can't be loaded, React Router reloads the document,
 * which would lose the current page while the network is down. No data is preloaded, because all pages that load data
 * have client loaders. Waits until the browser is idle, so that a search that was typed before hydration is sent first.
 */
export function PageCode() {
  const [isIdle, setIsIdle] = useState(false);
  useEffect(() => void whenIdle(() => setIsIdle(true)), []);
  return isIdle && PAGES.map((page) => <PrefetchPageLinks key={page} page={page} />);
}
