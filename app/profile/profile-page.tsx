import { lazy, Suspense } from "react";
import { useSession } from "../session/session.ts";
import { NewPasswordForm } from "./new-password-form.tsx";
import { SignInForm } from "./sign-in-form.tsx";

const ProfileEditor = lazy(() => import("./profile-editor.tsx"));

/**
 * Returns the page of the session's member (specification §2, Profile): his profile and skills, the form for a new
 * password if he came by a link, or the sign-in form for everybody else.
 */
export function ProfilePage() {
  const session = useSession();
  return (
    // The editor is taller than the sign-in form: the footer stays out of its way.
    <div className="in-data-session:min-h-dvh">
      {session.status !== "in" ? (
        // Where the browser holds a session, nobody is asked to sign in before it has been read.
        <div className="in-data-session:invisible">
          <SignInForm problem={session.status === "out" ? session.problem : undefined} />
        </div>
      ) : session.needsPassword ? (
        <NewPasswordForm />
      ) : (
        <Suspense>
          <ProfileEditor key={session.userId} userId={session.userId} />
        </Suspense>
      )}
    </div>
  );
}
