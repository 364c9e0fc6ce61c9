import { ContentPage } from "../content/content-page.tsx";
import { articles } from "../content/kinds/article-kind.tsx";
import { loadInBrowser } from "../content/list/browser-list.ts";
import { loadList } from "../content/list/list.server.ts";
import { listRobots, pageMeta } from "../document/page-meta.ts";
import { pageContext } from "../site.ts";
import type { Route } from "./+types/articles";

export const loader = ({ context, url }: Route.LoaderArgs) =>
  loadList(articles, url.searchParams, context.get(pageContext));

export const clientLoader = (asked: Route.ClientLoaderArgs) => loadInBrowser(articles, asked);

export const meta: Route.MetaFunction = ({ matches, location }) =>
  pageMeta(matches, { ...articles.about, robots: listRobots(location.search) });

export default function Articles({ loaderData }: Route.ComponentProps) {
  return <ContentPage kind={articles} page={loaderData.page} />;
}
