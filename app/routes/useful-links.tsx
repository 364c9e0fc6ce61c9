import { ContentPage } from "../content/content-page.tsx";
import { usefulLinks } from "../content/kinds/link-kind.tsx";
import { loadInBrowser } from "../content/list/browser-list.ts";
import { loadList } from "../content/list/list.server.ts";
import { listRobots, pageMeta } from "../document/page-meta.ts";
import { pageContext } from "../site.ts";
import type { Route } from "./+types/useful-links";

export const loader = ({ context, url }: Route.LoaderArgs) =>
  loadList(usefulLinks, url.searchParams, context.get(pageContext));

export const clientLoader = (asked: Route.ClientLoaderArgs) => loadInBrowser(usefulLinks, asked);

export const meta: Route.MetaFunction = ({ matches, location }) =>
  pageMeta(matches, { ...usefulLinks.about, robots: listRobots(location.search) });

export default function UsefulLinks({ loaderData }: Route.ComponentProps) {
  return <ContentPage kind={usefulLinks} page={loaderData.page} />;
}
