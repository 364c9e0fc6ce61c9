import { pageMeta, siteOf } from "../page-meta.ts";
import { ProfilePage } from "../profile/profile-page.tsx";
import type { Route } from "./+types/profile";

export const meta: Route.MetaFunction = ({ matches }) => {
  const site = siteOf(matches);
  return site ? pageMeta(site, "/profile", "Profile", "Sign in to keep your profile and to publish.") : [];
};

export default function Profile() {
  return <ProfilePage />;
}
