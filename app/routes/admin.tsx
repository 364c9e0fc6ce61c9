import { CACHEABLE } from "../../common/page-services.ts";
import { AdminPage } from "../admin/admin-page.tsx";
import { pageMeta } from "../document/page-meta.ts";
import type { Route } from "./+types/admin";

export const headers = () => ({ "Cache-Control": CACHEABLE });

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    path: "/admin",
    name: "Operators",
    description: "Sign in to operate the site.",
    robots: "noindex",
  });

export default AdminPage;
