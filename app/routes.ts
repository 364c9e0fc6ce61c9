import { index, type RouteConfig, route } from "@react-router/dev/routes";
import { KINDS, kindName } from "./content/kinds/index.ts";

const routes = [
  index("routes/home.tsx"),
  route("profile", "routes/profile.tsx"),
  route("people", "routes/people.tsx"),
  route("profile/:username", "routes/person.tsx"),
  ...KINDS.map(kindName).flatMap((path) => [
    route(path, "routes/content.tsx", { id: path }),
    route(`${path}/:id`, "routes/item.tsx", { id: `${path}/:id` }),
  ]),
  route("*", "routes/not-found.tsx"),
];

/** Each page has one address: React Router ignores case by default. */
export default routes.map((each) => ({ ...each, caseSensitive: true })) satisfies RouteConfig;
