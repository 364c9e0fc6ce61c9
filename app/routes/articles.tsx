import { ContentPage } from "../content/content-page.tsx";
import { articles } from "../content/kinds/articles.tsx";
import { loadListing } from "../content/list/load.ts";
import { pageMeta } from "../page-meta.ts";
import { pageContext } from "../site.ts";
import type { Route } from "./+types/articles";

export const loader = ({ context, url }: Route.LoaderArgs) =>
  loadListing(articles, url.searchParams, context.get(pageContext));

// A load that fails changes nothing (specification §8).
export const clientLoader = ({ serverLoader }: Route.ClientLoaderArgs) => serverLoader().catch(() => null);

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, articles.about);

export default function Articles({ loaderData }: Route.ComponentProps) {
  return <ContentPage kind={articles} listing={loaderData} />;
}
