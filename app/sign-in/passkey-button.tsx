import type { ComponentProps } from "react";
import type { Auth } from "../session/auth.ts";
import { Button } from "../ui/button.tsx";
import { useAuthRequest } from "./use-auth-request.ts";

interface PasskeyButtonProps extends Pick<ComponentProps<typeof Button>, "variant" | "disabled"> {
  /** Starts the sign-in. Resolves to the message to show, or to null. */
  signIn(auth: Auth): Promise<string | null>;
  onDone?: () => void;
}

/** The button keeps the focus while the browser asks for a passkey. Canceling isn't an error, so the message isn't red. */
export function PasskeyButton({ signIn, onDone, ...rest }: PasskeyButtonProps) {
  const request = useAuthRequest();
  return (
    <>
      <Button
        className="w-full"
        aria-disabled={request.isBusy}
        onClick={() => void request.send(signIn, onDone)}
        {...rest}
      >
        Sign in with a passkey
      </Button>
      <PasskeyMessage>{request.problem}</PasskeyMessage>
    </>
  );
}

/**
 * Stays in the page while it is empty, because screen readers announce only changes of a region that they know. It has no
 * role: Orca would read "statusbar" for each empty message.
 */
export function PasskeyMessage({ children }: { children: string | null | undefined }) {
  return (
    <p aria-live="polite" className="text-sm font-medium not-empty:mt-3">
      {children}
    </p>
  );
}
