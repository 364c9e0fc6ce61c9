import { pageMeta } from "../document/page-meta.ts";
import { ProfilePage, ProfileSkeleton } from "../profile/profile-page.tsx";
import { MembersOnly } from "../sign-in/members-only.tsx";
import type { Route } from "./+types/profile";

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    path: "/profile",
    name: "Profile",
    description: "Sign in to keep your profile and to publish.",
  });

/** Everything here is read in the browser, by the member themselves. */
export default function Profile() {
  return (
    <MembersOnly skeleton={<ProfileSkeleton />}>{(userId) => <ProfilePage userId={userId} />}</MembersOnly>
  );
}
