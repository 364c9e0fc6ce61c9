import { pageMeta } from "../page-meta.ts";
import { ProfilePage } from "../profile/profile-page.tsx";
import type { Route } from "./+types/profile";

/** Takes the route's matches, returns what the page tells of itself to browsers, search engines and previews. */
export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    path: "/profile",
    name: "Profile",
    description: "Sign in to keep your profile and to publish.",
  });

/** Returns the profile page; all that it shows is read in the browser, by the member himself. */
export default function Profile() {
  return <ProfilePage />;
}
