import { CACHEABLE } from "../../common/page-services.ts";
import { listRobots, pageMeta } from "../document/page-meta.ts";
import { pageServices } from "../page-services.ts";
import { loadResults } from "../search/load-results.server.ts";
import { parseEverythingSearch } from "../search/search.ts";
import { SEARCH_DESCRIPTION, SearchPage } from "../search/search-page.tsx";
import type { Route } from "./+types/search";

export const loader = ({ context, url }: Route.LoaderArgs) =>
  loadResults(url.searchParams, context.get(pageServices));

export const headers = () => ({ "Cache-Control": CACHEABLE });

export const meta: Route.MetaFunction = ({ matches, location: { search } }) => {
  const { text } = parseEverythingSearch(new URLSearchParams(search));
  return pageMeta(matches, {
    path: "/search",
    name: "Search",
    description: SEARCH_DESCRIPTION,
    robots: text ? "noindex" : listRobots(search),
  });
};

export default function SearchRoute({ loaderData }: Route.ComponentProps) {
  return <SearchPage result={loaderData.list} />;
}
