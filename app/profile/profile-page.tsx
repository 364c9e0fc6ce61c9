import { lazy, type ReactNode, Suspense } from "react";
import { personPath } from "../data/addresses.ts";
import { untilLoaded } from "../ui/until-loaded.ts";

const ProfileEditor = lazy(() => untilLoaded(() => import("./profile-editor.tsx")));

export function ProfilePage({ userId }: { userId: string }) {
  return (
    <Frame
      publicPage={
        <a
          href={personPath(userId)}
          className="inline-flex min-h-11 items-center text-ink underline underline-offset-4"
        >
          Your public page
        </a>
      }
    >
      <Suspense fallback={<Fields />}>
        <ProfileEditor key={userId} userId={userId} />
      </Suspense>
    </Frame>
  );
}

export function ProfileSkeleton() {
  return (
    <Frame>
      <Fields />
    </Frame>
  );
}

function Frame({ publicPage, children }: { publicPage?: ReactNode; children: ReactNode }) {
  return (
    // At least a screen high: the footer stays out of sight until the page is complete.
    <div className="min-h-dvh">
      <div className="flex flex-wrap items-center justify-between gap-x-6">
        <h1 className="font-display text-title font-bold tracking-tight">Profile</h1>
        {publicPage}
      </div>
      <div className="mt-8 grid items-start gap-x-12 gap-y-10 lg:grid-cols-profile">{children}</div>
    </div>
  );
}

function Fields() {
  return (
    <div aria-hidden="true" className="grid gap-x-5 gap-y-10 pt-16 sm:grid-cols-2">
      {["username", "name", "avatar", "title", "company", "years"].map((field) => (
        <div key={field} className="h-11 bg-sunken" />
      ))}
    </div>
  );
}
