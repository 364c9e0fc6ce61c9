import { ContentPage } from "../content/content-page.tsx";
import { usefulLinks } from "../content/kinds/useful-links.tsx";
import { loadListing } from "../content/list/load.ts";
import { pageMeta } from "../page-meta.ts";
import { pageContext } from "../site.ts";
import type { Route } from "./+types/useful-links";

export const loader = ({ context, url }: Route.LoaderArgs) =>
  loadListing(usefulLinks, url.searchParams, context.get(pageContext));

// A load that fails changes nothing (specification §8).
export const clientLoader = ({ serverLoader }: Route.ClientLoaderArgs) => serverLoader().catch(() => null);

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, usefulLinks.about);

export default function UsefulLinks({ loaderData }: Route.ComponentProps) {
  return <ContentPage kind={usefulLinks} listing={loaderData} />;
}
