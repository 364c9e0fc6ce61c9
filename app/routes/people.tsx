import { listRobots, pageMeta } from "../document/page-meta.ts";
import { loadPeople } from "../people/directory/load-people.server.ts";
import { PEOPLE_DESCRIPTION, PeoplePage } from "../people/directory/people-page.tsx";
import { CACHEABLE, pageContext } from "../site.ts";
import type { Route } from "./+types/people";

export const loader = ({ context, url }: Route.LoaderArgs) =>
  loadPeople(url.searchParams, context.get(pageContext));

/** A load that fails returns no page and leaves the list unchanged. */
export const clientLoader = ({ serverLoader }: Route.ClientLoaderArgs) =>
  serverLoader().catch(() => ({ page: null }));

export const headers = () => ({ "Cache-Control": CACHEABLE });

export const meta: Route.MetaFunction = ({ matches, location }) =>
  pageMeta(matches, {
    path: "/people",
    name: "Professionals",
    description: PEOPLE_DESCRIPTION,
    robots: listRobots(location.search),
  });

export default function PeopleRoute({ loaderData }: Route.ComponentProps) {
  return <PeoplePage page={loaderData.page} />;
}
