/** Returns the HTML of all pages of a list. Follows its "Show More" links, like a visitor without scripts. */
export async function readList(
  ask: (path: string) => Response | Promise<Response>,
  path: string,
): Promise<string> {
  let pages = "";
  for (let next: string | undefined = path; next; ) {
    const page: string = await (await ask(next)).text();
    pages += page;
    const [, link] = /<a [^>]*href="([^"]*)"[^>]*>Show More</.exec(page) ?? [];
    next = link?.replaceAll("&amp;", "&");
  }
  return pages;
}
