import { ContentPage } from "../content/content-page.tsx";
import { sampleCode } from "../content/kinds/sample-kind.tsx";
import { loadInBrowser } from "../content/list/browser-list.ts";
import { loadList } from "../content/list/list.server.ts";
import { listRobots, pageMeta } from "../document/page-meta.ts";
import { pageContext } from "../site.ts";
import type { Route } from "./+types/sample-code";

export const loader = ({ context, url }: Route.LoaderArgs) =>
  loadList(sampleCode, url.searchParams, context.get(pageContext));

export const clientLoader = (asked: Route.ClientLoaderArgs) => loadInBrowser(sampleCode, asked);

export const meta: Route.MetaFunction = ({ matches, location }) =>
  pageMeta(matches, { ...sampleCode.about, robots: listRobots(location.search) });

export default function SampleCode({ loaderData }: Route.ComponentProps) {
  return <ContentPage kind={sampleCode} page={loaderData.page} />;
}
