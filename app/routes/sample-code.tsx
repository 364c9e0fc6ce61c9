import { ContentPage } from "../content/content-page.tsx";
import { sampleCode } from "../content/kinds/sample-code.tsx";
import { loadListing } from "../content/list/load.ts";
import { pageMeta } from "../document/page-meta.ts";
import { pageContext } from "../site.ts";
import type { Route } from "./+types/sample-code";

/**
 * Takes the request, returns the code samples that the page of its address begins with. Throws a 503 to a browser when
 * they cannot be read; a document is then empty.
 */
export const loader = ({ context, url }: Route.LoaderArgs) =>
  loadListing(sampleCode, url.searchParams, context.get(pageContext));

/** Asks the server; a load that fails returns null, and the page keeps what it shows (specification §8). */
export const clientLoader = ({ serverLoader }: Route.ClientLoaderArgs) => serverLoader().catch(() => null);

/** Takes the route's matches, returns what the page tells of itself to browsers, search engines and previews. */
export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, sampleCode.about);

/** Takes what was loaded, returns the page of code samples. */
export default function SampleCode({ loaderData }: Route.ComponentProps) {
  return <ContentPage kind={sampleCode} listing={loaderData} />;
}
