import { type FormEvent, useId } from "react";
import { useSession } from "../session/session.ts";
import { Button } from "../ui/button.tsx";
import { AlertDialog, DialogField } from "../ui/dialog.tsx";
import { useSite } from "../ui/use-site.ts";
import { FormError } from "./auth-card.tsx";
import { PasskeyButton } from "./passkey-button.tsx";
import { useAuthRequest } from "./use-auth-request.ts";
import { useWebAuthnSupport } from "./use-webauthn-support.ts";

interface SignInAgainProps {
  /** Why the member must sign in again. */
  text: string;
  /** Whether the member may have passkeys. */
  hasPasskeys: boolean;
  /** Whether only a passkey counts. */
  needsPasskey?: boolean;
  onAnswer(isSignedIn: boolean): void;
}

/**
 * Offers the ways to sign in that both the backend and the member have, a passkey first. The action is repeated only after
 * a sign-in with a passkey or a password, because an identity provider sends the browser to /profile. The field is
 * uncontrolled, to keep the password out of React state.
 */
export function SignInAgain({ text, hasPasskeys, needsPasskey = false, onAnswer }: SignInAgainProps) {
  const site = useSite();
  const { password, passkeys, providers } = site?.signIn ?? {
    password: true,
    passkeys: false,
    providers: [],
  };
  const session = useSession();
  const offersPasskey = useWebAuthnSupport() && passkeys && hasPasskeys;
  const asksForPassword = password && !needsPasskey && session.status === "in" && session.hasPassword;
  const formId = useId();
  const request = useAuthRequest();

  function signIn(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const typed = String(new FormData(event.currentTarget).get("password"));
    void request.send(
      (auth) => auth.signInAgain(typed),
      () => onAnswer(true),
    );
  }

  return (
    <AlertDialog
      title="Sign In Again"
      text={text}
      onCancel={() => onAnswer(false)}
      fields={
        <>
          {offersPasskey && (
            <PasskeyButton
              variant="primary"
              signIn={(auth) => auth.signInAgainWithPasskey()}
              onDone={() => onAnswer(true)}
            />
          )}
          {asksForPassword && (
            <form id={formId} method="post" onSubmit={signIn}>
              <DialogField
                label="Password"
                type="password"
                name="password"
                required
                autoComplete="current-password"
              />
            </form>
          )}
          {(needsPasskey ? [] : providers).map(({ id, name }) => (
            <Button
              key={id}
              className="w-full wrap-anywhere"
              onClick={() => void request.send((auth) => auth.signInAt(id))}
            >
              Sign in with {name}
            </Button>
          ))}
          <FormError>{request.problem}</FormError>
        </>
      }
    >
      <Button onClick={() => onAnswer(false)}>Cancel</Button>
      {asksForPassword && (
        <Button variant="primary" type="submit" form={formId}>
          Sign In
        </Button>
      )}
    </AlertDialog>
  );
}
