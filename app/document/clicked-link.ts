/** The link that a click is about to follow in this tab, unless it only leads to another place on the page. */
export function clickedLink(event: MouseEvent): HTMLAnchorElement | null {
  if (event.defaultPrevented || event.button !== 0) return null;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null;
  if (!link || link.target || link.hasAttribute("download") || !/^https?:$/.test(link.protocol)) return null;
  const isSamePage = link.href.split("#")[0] === location.href.split("#")[0];
  return isSamePage && link.hash ? null : link;
}

/** Whether the router has a page for the link; feeds, pictures and the API are the server's. */
export function isPage({ origin, pathname }: HTMLAnchorElement): boolean {
  if (origin !== location.origin || pathname.endsWith(".xml")) return false;
  return /^\/($|(articles|useful-links|sample-code|profile)(\/|$))/.test(pathname);
}
