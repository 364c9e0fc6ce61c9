import { lazy } from "react";
import { useSession } from "../session/session.ts";
import { Button } from "../ui/button.tsx";
import { LoadBoundary } from "../ui/load-boundary.tsx";
import { useSite } from "../ui/use-site.ts";
import { AuthCard, FormError, NoScript } from "./auth-card.tsx";
import { PasswordForm } from "./password-form.tsx";
import { useAuthRequest } from "./use-auth-request.ts";
import { useWebAuthnSupport } from "./use-webauthn-support.ts";

// Every page loads this form's code, but only sites with passkeys need this part, and only where the form is shown.
const PasskeySignIn = lazy(() => import("./passkey-sign-in.tsx"));

interface SignInFormProps {
  /** Why the last sign-in failed. */
  problem?: string | undefined;
  /** A sentence above the form. */
  notice?: string | undefined;
}

/** Offers the ways to sign in that the backend has: a password, identity providers, or both. */
export function SignInForm({ problem, notice }: SignInFormProps) {
  const site = useSite();
  const { password, passkeys, providers } = site?.signIn ?? {
    password: true,
    passkeys: false,
    providers: [],
  };
  const request = useAuthRequest();
  // Don't submit before hydration, because the browser would send the password to the page's own URL.
  const isReady = useSession().status !== "unknown";
  const hasWebAuthn = useWebAuthnSupport();

  return (
    <AuthCard title="Sign in to your account">
      {notice && <p className="mt-4 bg-marker px-4 py-2.5 text-sm text-on-marker">{notice}</p>}
      {password && (
        <PasswordForm request={request} isReady={isReady} problem={problem} hasPasskeys={passkeys} />
      )}
      {passkeys && (
        // The minimum height keeps the button's place while its code loads, so that nothing moves.
        <div className="mt-4 min-h-11">
          {hasWebAuthn && (
            <LoadBoundary>
              <PasskeySignIn isReady={isReady} />
            </LoadBoundary>
          )}
        </div>
      )}
      {providers.length > 0 && (
        <div className="mt-6 space-y-4">
          {!password && <NoScript />}
          {providers.map(({ id, name }) => (
            <Button
              key={id}
              disabled={!isReady || request.isBusy}
              onClick={() => void request.send((auth) => auth.signInAt(id))}
              className="w-full wrap-anywhere"
            >
              Sign in with {name}
            </Button>
          ))}
        </div>
      )}
      {!password && <FormError>{request.problem ?? problem}</FormError>}
    </AuthCard>
  );
}
