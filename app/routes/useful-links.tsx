import { ContentPage } from "../content/content-page.tsx";
import { usefulLinks } from "../content/kinds/useful-links.tsx";
import { loadListing } from "../content/list/load.ts";
import { pageMeta } from "../document/page-meta.ts";
import { pageContext } from "../site.ts";
import type { Route } from "./+types/useful-links";

/**
 * Takes the request, returns the links that the page of its address begins with. Throws a 503 to a browser when
 * they cannot be read; a document is then empty.
 */
export const loader = ({ context, url }: Route.LoaderArgs) =>
  loadListing(usefulLinks, url.searchParams, context.get(pageContext));

/** Asks the server; a load that fails returns null, and the page keeps what it shows (specification §8). */
export const clientLoader = ({ serverLoader }: Route.ClientLoaderArgs) => serverLoader().catch(() => null);

/** Takes the route's matches, returns what the page tells of itself to browsers, search engines and previews. */
export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, usefulLinks.about);

/** Takes what was loaded, returns the page of links. */
export default function UsefulLinks({ loaderData }: Route.ComponentProps) {
  return <ContentPage kind={usefulLinks} listing={loaderData} />;
}
