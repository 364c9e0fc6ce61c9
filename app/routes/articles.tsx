import { ContentPage } from "../content/content-page.tsx";
import { articles } from "../content/kinds/articles.tsx";
import { parsePosition } from "../content/list/address.ts";
import { loadListing } from "../content/list/load.ts";
import { parseSearch } from "../content/search.ts";
import { pageMeta, siteOf } from "../page-meta.ts";
import { pageContext } from "../site.ts";
import type { Route } from "./+types/articles";

export const loader = ({ context, url }: Route.LoaderArgs) =>
  loadListing(
    articles,
    parseSearch(url.searchParams),
    parsePosition(url.searchParams.get("after")),
    context.get(pageContext),
  );

// A load that fails changes nothing (specification §8).
export const clientLoader = ({ serverLoader }: Route.ClientLoaderArgs) => serverLoader().catch(() => null);

export const meta: Route.MetaFunction = ({ matches }) => {
  const site = siteOf(matches);
  return site ? pageMeta(site, articles.path, articles.texts.heading, articles.texts.description) : [];
};

export default function Articles({ loaderData }: Route.ComponentProps) {
  return <ContentPage kind={articles} listing={loaderData} />;
}
