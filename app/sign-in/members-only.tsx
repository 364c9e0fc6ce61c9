import type { ReactNode } from "react";
import { useSession } from "../session/session.ts";
import { focusHeading } from "../ui/focus.ts";
import { useOnChange } from "../ui/use-on-change.ts";
import { NewPasswordForm } from "./new-password-form.tsx";
import { SignInForm } from "./sign-in-form.tsx";

/**
 * What only members see; the sign-in form for everybody else, and for a member who came by a link the form for a new
 * password. The skeleton stands where this browser holds a session that has not been read yet.
 */
export function MembersOnly({
  skeleton,
  children,
}: {
  skeleton: ReactNode;
  children(userId: string): ReactNode;
}) {
  const session = useSession();
  const step = session.status === "in" && session.needsPassword ? "password" : session.status;
  useOnChange(step, (before) => before !== "unknown" && focusHeading());
  if (session.status === "in") {
    return session.needsPassword ? <NewPasswordForm email={session.email} /> : children(session.userId);
  }
  return (
    <>
      <div className="in-data-session:hidden">
        <SignInForm problem={session.status === "out" ? session.problem : undefined} />
      </div>
      <div className="hidden in-data-session:block">{skeleton}</div>
    </>
  );
}
