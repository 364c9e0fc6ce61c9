import { useLocation } from "react-router";
import { CACHEABLE } from "../../common/page-services.ts";
import { kindAt } from "../content/content-kind.ts";
import { ContentPage } from "../content/content-page.tsx";
import { loadList } from "../content/list/load-list.server.ts";
import { listRobots, pageMeta } from "../document/page-meta.ts";
import { pageServices } from "../page-services.ts";
import { revalidateUnlessReturning } from "../router/history-index.ts";
import type { Route } from "./+types/content";

export const loader = ({ context, url }: Route.LoaderArgs) =>
  loadList(kindAt(url), url.searchParams, context.get(pageServices));

export const shouldRevalidate = revalidateUnlessReturning;

export const headers = () => ({ "Cache-Control": CACHEABLE });

export const meta: Route.MetaFunction = ({ matches, location }) => {
  const { path, name, description } = kindAt(location);
  return pageMeta(matches, { path, name, description, robots: listRobots(location.search) });
};

export default function ListRoute({ loaderData }: Route.ComponentProps) {
  const kind = kindAt(useLocation());
  return <ContentPage key={kind.table} kind={kind} result={loaderData.list} />;
}
