import { lazy, useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { Link } from "react-router";
import { ErrorText } from "../document/error-page.tsx";
import { useSession } from "../session/session.ts";
import { AuthCard } from "../sign-in/auth-card.tsx";
import { PasskeyButton } from "../sign-in/passkey-button.tsx";
import { SignInForm } from "../sign-in/sign-in-form.tsx";
import { useWebAuthnSupport } from "../sign-in/use-webauthn-support.ts";
import { Button } from "../ui/button.tsx";
import { focusHeading } from "../ui/focus.ts";
import { LoadBoundary } from "../ui/load-boundary.tsx";
import { PageStep } from "../ui/page-step.tsx";
import { useSite } from "../ui/use-site.ts";
import { AdminError, callAdmin, errorMessage } from "./admin-api.ts";

// Only operators load these scripts.
const OperatorPage = lazy(() => import("./operator-page.tsx"));

/** Visitors see the sign-in form. Members who aren't operators see the text of the not-found page (contract). */
export function AdminPage() {
  const session = useSession();
  const { status } = session;
  const [isChecked, setIsChecked] = useState(false);
  if (isChecked && status !== "in") setIsChecked(false);

  function render(id: "in" | "out") {
    if (id === "in")
      return (
        session.status === "in" && <MembersView key={session.userId} onChecked={() => setIsChecked(true)} />
      );
    const isUnknown = status === "unknown";
    return (
      <>
        <div className={isUnknown ? "in-data-session:hidden" : undefined}>
          <SignInForm problem={session.status === "out" ? session.problem : undefined} />
        </div>
        {isUnknown && <div className="hidden min-h-dvh in-data-session:block" />}
      </>
    );
  }

  const isReady = status === "in" ? isChecked : status === "out";
  return <PageStep id={status === "in" ? "in" : "out"} isReady={isReady} render={render} />;
}

/** Operators, and why others don't see the page. */
type Access = "unknown" | "none" | "passkey" | { needsPasskey: boolean } | { problem: string };

const REFUSALS: Record<string, Access> = { not_admin: "none", passkey_required: "passkey" };

function PasskeyQuestion({ onSignedIn }: { onSignedIn(): void }) {
  return (
    <AuthCard title="Sign in with a passkey">
      <p className="mt-4 text-muted">
        On this site, operators sign in with a passkey. If you have none yet,{" "}
        <Link to="/profile#passkeys" className="text-ink underline underline-offset-4">
          add one on your profile
        </Link>
        .
      </p>
      <div className="mt-6">
        {useWebAuthnSupport() ? (
          <PasskeyButton
            variant="primary"
            signIn={(auth) => auth.signInAgainWithPasskey()}
            onDone={onSignedIn}
          />
        ) : (
          <p className="font-medium">This browser has no passkeys. Use another one.</p>
        )}
      </div>
    </AuthCard>
  );
}

function MembersView({ onChecked }: { onChecked(): void }) {
  const site = useSite();
  const [access, setAccess] = useState<Access>("unknown");
  const isFocusDue = useRef(false);
  const check = useCallback(async () => {
    try {
      setAccess(await callAdmin<{ needsPasskey: boolean }>("/session"));
    } catch (error) {
      const code = error instanceof AdminError ? error.code : "";
      setAccess(REFUSALS[code] ?? { problem: errorMessage(error) });
    }
  }, []);
  useEffect(() => void check(), [check]);
  const reportChecked = useEffectEvent(onChecked);
  useLayoutEffect(() => {
    if (access !== "unknown") reportChecked();
  }, [access]);
  useEffect(() => {
    if (isFocusDue.current && access !== "passkey") focusHeading();
    if (access !== "passkey") isFocusDue.current = false;
  }, [access]);

  function tryAgain() {
    setAccess("unknown");
    void check();
  }

  function afterPasskey() {
    isFocusDue.current = true;
    void check();
  }

  if (access === "unknown") return <div aria-busy="true" className="min-h-dvh" />;
  if (access === "none") return <ErrorText isUnknown site={site} />;
  if (access === "passkey") return <PasskeyQuestion onSignedIn={afterPasskey} />;
  if ("problem" in access) {
    return (
      <div role="alert" className="min-h-dvh space-y-4">
        <p>{access.problem}</p>
        <Button onClick={tryAgain}>Try Again</Button>
      </div>
    );
  }
  return (
    <div className="min-h-dvh">
      <h1 className="mb-6 font-display text-title font-bold tracking-tight">Operators</h1>
      <LoadBoundary>
        <OperatorPage needsPasskey={access.needsPasskey} />
      </LoadBoundary>
    </div>
  );
}
