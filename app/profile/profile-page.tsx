import { lazy, useCallback, useEffect, useState } from "react";
import { personPath } from "../../common/data/addresses.ts";
import { findPerson } from "../../common/data/people-reads.ts";
import { readerOf } from "../../common/data/postgrest-reader.ts";
import { hasDraft } from "../drafts/draft-keys.ts";
import { SIGNED_OUT } from "../drafts/signed-out.ts";
import { openAuth } from "../session/open-auth.ts";
import { type SessionState, useIsOperator, useSession } from "../session/session.ts";
import { LinkForm } from "../sign-in/link-form.tsx";
import { SignInForm } from "../sign-in/sign-in-form.tsx";
import { announce } from "../ui/announce.tsx";
import { LoadBoundary } from "../ui/load-boundary.tsx";
import { PageStep } from "../ui/page-step.tsx";
import { TextLink } from "../ui/text-link.tsx";
import { TryAgain } from "../ui/try-again.tsx";
import { useSite } from "../ui/use-site.ts";

const ProfileEditor = lazy(() => import("./profile-editor.tsx"));

type NewPasswordForm = typeof import("../sign-in/new-password-form.tsx").NewPasswordForm;

/** Members arriving from a recovery or invitation link choose a password first; visitors see the sign-in form. */
export function ProfilePage() {
  const session = useSession();
  const link = session.status === "unknown" ? undefined : session.link;
  const email = session.status === "in" ? session.email : "";
  // If the link is for a different account than the session's, SessionSync asks the member first.
  const ownLink = session.status === "in" && link?.email !== email ? undefined : link;
  const choosesPassword = (session.status === "in" && session.needsPassword) || ownLink?.setsPassword;
  const step = choosesPassword ? "password" : ownLink ? "link" : session.status === "in" ? "in" : "out";
  const newPassword = useNewPasswordForm(step === "password");
  const leavesDraft = useLeavesDraft(session);
  useEffect(() => {
    if (leavesDraft) announce(SIGNED_OUT);
  }, [leavesDraft]);
  function render(id: typeof step) {
    if (id === "password") {
      const { Form, hasFailed } = newPassword;
      if (hasFailed)
        return <TryAgain text="This form could not be loaded." onRetry={() => location.reload()} />;
      return Form && <Form email={ownLink?.email ?? email} link={ownLink} />;
    }
    if (id === "link") return ownLink && <LinkForm link={ownLink} />;
    if (id === "in") return session.status === "in" && <OwnProfile userId={session.userId} />;
    const isUnknown = session.status === "unknown";
    return (
      <>
        <div className={isUnknown ? "in-data-session:hidden" : undefined}>
          <SignInForm
            problem={session.status === "out" ? session.problem : undefined}
            notice={leavesDraft ? SIGNED_OUT : session.status === "out" ? session.notice : undefined}
          />
        </div>
        {isUnknown && (
          <div className="hidden in-data-session:block">
            <OwnProfile userId={null} />
          </div>
        )}
      </>
    );
  }

  const isLoaded = step !== "password" || newPassword.Form !== null || newPassword.hasFailed;
  return <PageStep id={step} isReady={session.status !== "unknown" && isLoaded} render={render} />;
}

/**
 * Loads the form only for those who choose a password. `lazy` would show the step before its heading can take the focus.
 */
function useNewPasswordForm(isNeeded: boolean) {
  const [Form, setForm] = useState<NewPasswordForm | null>(null);
  const [hasFailed, setHasFailed] = useState(false);
  useEffect(() => {
    if (!isNeeded) return;
    import("../sign-in/new-password-form.tsx").then(
      ({ NewPasswordForm }) => setForm(() => NewPasswordForm),
      () => setHasFailed(true),
    );
  }, [isNeeded]);
  return { Form, hasFailed };
}

/** Whether the session has ended while the profile form had unsaved edits, which are now a draft. */
function useLeavesDraft(session: SessionState): boolean {
  const userId = session.status === "in" ? session.userId : null;
  const [lastUserId, setLastUserId] = useState(userId);
  if (userId !== null && userId !== lastUserId) setLastUserId(userId);
  if (session.status !== "out" || lastUserId === null) return false;
  return hasDraft(lastUserId, "profile");
}

/** If `userId` is null, renders a placeholder while the stored session is being read. */
function OwnProfile({ userId }: { userId: string | null }) {
  const [slug, readSlug] = usePublicSlug(userId);
  const isOperator = useIsOperator();
  const site = useSite();
  return (
    // The minimum height keeps the footer out of view until the page is complete.
    <div className="min-h-dvh">
      <div className="flex flex-wrap items-center justify-between gap-x-6">
        <h1 className="font-display text-title font-bold tracking-tight">Profile</h1>
        <div className="flex flex-wrap gap-x-6">
          {userId && <TextLink to={personPath(slug ?? userId)}>Your public page</TextLink>}
          {isOperator && <TextLink to="/admin">Operate the site</TextLink>}
        </div>
      </div>
      {/* The minimum height prevents a layout shift when the slug arrives. */}
      <p className="min-h-10 font-mono text-sm wrap-anywhere text-muted sm:min-h-5 sm:text-end">
        {slug && `${site?.url ?? ""}${personPath(slug)}`}
      </p>
      <div className="mt-8 grid items-start gap-x-12 gap-y-10 lg:grid-cols-profile">
        {userId ? (
          <LoadBoundary fallback={<FormPlaceholder />}>
            <ProfileEditor key={userId} userId={userId} onSaved={readSlug} />
          </LoadBoundary>
        ) : (
          <FormPlaceholder />
        )}
      </div>
    </div>
  );
}

/** Returns the slug of the member's public page, which is undefined until it is read, and a function that reads it. */
function usePublicSlug(userId: string | null) {
  const [slug, setSlug] = useState<string>();
  const read = useCallback(() => {
    if (!userId) return;
    openAuth()
      .then(({ data }) => findPerson(readerOf(data), userId))
      .then((person) => setSlug(person?.slug))
      .catch(() => undefined);
  }, [userId]);
  useEffect(read, [read]);
  return [slug, read] as const;
}

function FormPlaceholder() {
  return (
    <div aria-hidden="true" className="grid gap-x-5 gap-y-10 pt-16 sm:grid-cols-2">
      {["username", "name", "avatar", "title", "company", "years"].map((field) => (
        <div key={field} className="h-11 bg-sunken" />
      ))}
    </div>
  );
}
