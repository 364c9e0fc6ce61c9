import { useLocation } from "react-router";
import { ContentPage } from "../content/content-page.tsx";
import { kindAt } from "../content/kinds/index.ts";
import { loadInBrowser } from "../content/list/browser-list.ts";
import { loadList } from "../content/list/list.server.ts";
import { listRobots, pageMeta } from "../document/page-meta.ts";
import { CACHEABLE, pageContext } from "../site.ts";
import type { Route } from "./+types/content";

export const loader = ({ context, url }: Route.LoaderArgs) =>
  loadList(kindAt(url), url.searchParams, context.get(pageContext));

export const clientLoader = ({ url, request }: Route.ClientLoaderArgs) =>
  loadInBrowser(kindAt(url), url.searchParams, request.signal);

export const headers = () => ({ "Cache-Control": CACHEABLE });

export const meta: Route.MetaFunction = ({ matches, location }) =>
  pageMeta(matches, { ...kindAt(location).about, robots: listRobots(location.search) });

export default function ListRoute({ loaderData }: Route.ComponentProps) {
  const kind = kindAt(useLocation());
  return <ContentPage key={kind.table} kind={kind} page={loaderData.page} />;
}
