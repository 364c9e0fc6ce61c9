import { index, type RouteConfig, route } from "@react-router/dev/routes";
import { KINDS, kindSlug } from "../common/kinds/index.ts";

const routes = [
  index("routes/home.tsx"),
  route("profile", "routes/profile.tsx"),
  route("admin", "routes/admin.tsx"),
  route("people", "routes/people.tsx"),
  route("search", "routes/search.tsx"),
  route("profile/:username", "routes/person.tsx"),
  route("join/:code", "routes/join.tsx"),
  route("report/:list/:id", "routes/report.tsx"),
  ...KINDS.map(kindSlug).flatMap((path) => [
    route(path, "routes/content.tsx", { id: path }),
    route(`${path}/:id`, "routes/item.tsx", { id: `${path}/:id` }),
  ]),
  route("*", "routes/not-found.tsx"),
];

/** Makes paths case-sensitive, unlike React Router's default, so that each page has only one URL. */
export default routes.map((config) => ({ ...config, caseSensitive: true })) satisfies RouteConfig;
