import { PrefetchPageLinks } from "react-router";
import { KINDS } from "../content/kinds/index.ts";

/** An example URL of each kind of page that the top bar does not link to. */
const OTHER_PAGES = [...KINDS.map(({ path }) => `${path}/-`), "/people", "/profile/-"];

/**
 * Preloads the code of `OTHER_PAGES`. If a page's code can't be loaded, React Router reloads the document, which would
 * lose the current page while the network is down. No data is preloaded, because these pages have client loaders.
 */
export function PageCode() {
  return OTHER_PAGES.map((page) => <PrefetchPageLinks key={page} page={page} />);
}
