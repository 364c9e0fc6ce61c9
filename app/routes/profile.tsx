import { CACHEABLE } from "../../common/page-services.ts";
import { pageMeta } from "../document/page-meta.ts";
import { ProfilePage } from "../profile/profile-page.tsx";
import type { Route } from "./+types/profile";

export const headers = () => ({ "Cache-Control": CACHEABLE });

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    path: "/profile",
    name: "Profile",
    description: "Sign in to edit your profile and to publish.",
  });

export default ProfilePage;
