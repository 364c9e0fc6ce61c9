import { createContext, type FormEvent, type ReactNode, useContext, useId, useRef, useState } from "react";
import { useSession } from "../session/session.ts";
import { FormError } from "../sign-in/auth-card.tsx";
import { PasskeyButton } from "../sign-in/passkey-button.tsx";
import { useAuthRequest } from "../sign-in/use-auth-request.ts";
import { useWebAuthnSupport } from "../sign-in/use-webauthn-support.ts";
import { Button } from "../ui/button.tsx";
import { AlertDialog, DialogField } from "../ui/dialog.tsx";
import { useSite } from "../ui/use-site.ts";
import { AdminError, callAdmin } from "./admin-api.ts";

interface Actions {
  /**
   * Sends an action. If the operator's sign-in is too old, asks them to sign in again, and then repeats the action.
   * Throws AdminError, with the code `cancelled` if the operator doesn't sign in.
   */
  send<Result>(path: string, body: object): Promise<Result>;
}

const ActionsContext = createContext<Actions | null>(null);

export function useActions(): Actions {
  const actions = useContext(ActionsContext);
  if (!actions) throw new Error("useActions needs an ActionsProvider");
  return actions;
}

interface ActionsProviderProps {
  /** Whether operators must sign in with a passkey. */
  needsPasskey: boolean;
  onDone(): void;
  children: ReactNode;
}

export function ActionsProvider({ needsPasskey, onDone, children }: ActionsProviderProps) {
  const [isAsking, setIsAsking] = useState(false);
  /** The actions that wait for a sign-in. One answer is for all of them. */
  const waiting = useRef<((isSignedIn: boolean) => void)[]>([]);

  function signInAgain(): Promise<boolean> {
    setIsAsking(true);
    return new Promise((resolve) => {
      waiting.current.push(resolve);
    });
  }

  function answer(isSignedIn: boolean) {
    setIsAsking(false);
    for (const resolve of waiting.current.splice(0)) resolve(isSignedIn);
  }

  async function send<Result>(path: string, body: object): Promise<Result> {
    try {
      return await callAdmin<Result>(path, body);
    } catch (error) {
      if (!(error instanceof AdminError) || error.code !== "reauthentication_needed") throw error;
      if (await signInAgain()) return await callAdmin<Result>(path, body);
      throw new AdminError("cancelled", "Nothing was changed, because you did not sign in again.");
    } finally {
      onDone();
    }
  }

  return (
    <ActionsContext value={{ send }}>
      {children}
      {isAsking && <SignInAgain needsPasskey={needsPasskey} onAnswer={answer} />}
    </ActionsContext>
  );
}

interface SignInAgainProps {
  needsPasskey: boolean;
  onAnswer(isSignedIn: boolean): void;
}

/**
 * Offers the ways to sign in that both the backend and the operator have, a passkey first. The action is repeated only
 * after a sign-in with a passkey or a password, because an identity provider sends the browser to /profile. The field is uncontrolled, to keep the
 * password out of React state.
 */
function SignInAgain({ needsPasskey, onAnswer }: SignInAgainProps) {
  const site = useSite();
  const { password, passkeys, providers } = site?.signIn ?? {
    password: true,
    passkeys: false,
    providers: [],
  };
  const session = useSession();
  const offersPasskey = useWebAuthnSupport() && passkeys;
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
      text="Your last sign-in was more than an hour ago. Sign in again to make changes."
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
