import { CACHEABLE } from "../../common/page-services.ts";
import { listRobots, pageMeta } from "../document/page-meta.ts";
import { pageServices } from "../page-services.ts";
import { loadPeople } from "../people/directory/load-people.server.ts";
import { PEOPLE_DESCRIPTION, PeoplePage } from "../people/directory/people-page.tsx";
import type { Route } from "./+types/people";

export const loader = ({ context, url }: Route.LoaderArgs) =>
  loadPeople(url.searchParams, context.get(pageServices));

export const headers = () => ({ "Cache-Control": CACHEABLE });

export const meta: Route.MetaFunction = ({ matches, location }) =>
  pageMeta(matches, {
    path: "/people",
    name: "Professionals",
    description: PEOPLE_DESCRIPTION,
    robots: listRobots(location.search),
  });

export default function PeopleRoute({ loaderData }: Route.ComponentProps) {
  return <PeoplePage result={loaderData.list} />;
}
