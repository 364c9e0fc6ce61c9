import { useSession } from "../session/session.ts";
import { Button } from "../ui/button.tsx";
import { useSite } from "../ui/use-site.ts";
import { AuthCard, FormError, NoScript } from "./auth-card.tsx";
import { PasskeySignIn } from "./passkey-sign-in.tsx";
import { PasswordForm } from "./password-form.tsx";
import { useAuthRequest } from "./use-auth-request.ts";

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

  return (
    <AuthCard title="Sign in to your account">
      {notice && <p className="mt-4 bg-marker px-4 py-2.5 text-sm text-on-marker">{notice}</p>}
      {password && (
        <PasswordForm request={request} isReady={isReady} problem={problem} hasPasskeys={passkeys} />
      )}
      {passkeys && <PasskeySignIn isReady={isReady} />}
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
