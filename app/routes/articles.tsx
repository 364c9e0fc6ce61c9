import { ContentPage } from "../content/content-page.tsx";
import { articles } from "../content/kinds/articles.tsx";
import { loadListing } from "../content/list/load.ts";
import { pageMeta } from "../document/page-meta.ts";
import { pageContext } from "../site.ts";
import type { Route } from "./+types/articles";

/**
 * Takes the request, returns the articles that the page of its address begins with. Throws a 503 to a browser when
 * they cannot be read; a document is then empty.
 */
export const loader = ({ context, url }: Route.LoaderArgs) =>
  loadListing(articles, url.searchParams, context.get(pageContext));

/** Asks the server; a load that fails returns null, and the page keeps what it shows (specification §8). */
export const clientLoader = ({ serverLoader }: Route.ClientLoaderArgs) => serverLoader().catch(() => null);

/** Takes the route's matches, returns what the page tells of itself to browsers, search engines and previews. */
export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, articles.about);

/** Takes what was loaded, returns the page of articles. */
export default function Articles({ loaderData }: Route.ComponentProps) {
  return <ContentPage kind={articles} listing={loaderData} />;
}
