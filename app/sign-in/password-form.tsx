import { type FormEvent, type MouseEvent, useEffect, useId, useRef, useState } from "react";
import { openAuth } from "../session/open-auth.ts";
import { SERVICE_UNREACHABLE } from "../session/session.ts";
import { TextField } from "../ui/field.tsx";
import { FormError, NoScript, ProcessingButton } from "./auth-card.tsx";
import type { AuthRequest } from "./use-auth-request.ts";

/** Loads the auth client only when a visitor starts to use the form, because many visitors never do. */
const preloadAuth = () => void openAuth().catch(() => undefined);

interface PasswordFormProps {
  request: AuthRequest;
  isReady: boolean;
  problem: string | undefined;
  /** Whether browsers may list passkeys in the email field. */
  hasPasskeys: boolean;
}

/**
 * The fields are uncontrolled, to keep text typed before hydration. If the browser ever submits the form itself, `post`
 * keeps the password out of the URL.
 */
export function PasswordForm({ request, isReady, problem, hasPasskeys }: PasswordFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const errorId = useId();
  const [isMailSent, setIsMailSent] = useState(false);
  const [isSigningIn, setIsSigningIn] = useState(false);
  const isRejected = isSigningIn && request.problem !== null && request.problem !== SERVICE_UNREACHABLE;
  const rejection = isRejected && { "aria-invalid": true, "aria-describedby": errorId };

  useEffect(() => {
    if (form.current?.contains(document.activeElement)) preloadAuth();
  }, []);

  function signIn(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    setIsMailSent(false);
    setIsSigningIn(true);
    void request.send((auth) => auth.signIn(String(fields.get("email")), String(fields.get("password"))));
  }

  function sendRecovery(event: MouseEvent) {
    event.preventDefault();
    const email = form.current?.elements.namedItem("email");
    if (!(email instanceof HTMLInputElement) || !email.reportValidity()) return;
    setIsMailSent(false);
    setIsSigningIn(false);
    void request.send(
      (auth) => auth.sendRecovery(email.value),
      () => setIsMailSent(true),
    );
  }

  return (
    <>
      <form
        ref={form}
        method="post"
        onFocus={preloadAuth}
        onSubmit={signIn}
        aria-busy={request.isBusy}
        className="mt-6 space-y-4"
      >
        <TextField
          label="Email address"
          type="email"
          name="email"
          required
          autoComplete={hasPasskeys ? "username webauthn" : "username"}
          autoCapitalize="none"
          spellCheck={false}
          {...rejection}
        />
        <TextField
          label="Password"
          type="password"
          name="password"
          required
          autoComplete="current-password"
          {...rejection}
        />
        <NoScript />
        <ProcessingButton isBusy={request.isBusy} isReady={isReady}>
          Sign in
        </ProcessingButton>
      </form>
      <FormError id={errorId}>{request.problem ?? (isMailSent ? null : problem)}</FormError>
      <p role="status" className="mt-4 text-sm empty:hidden">
        {isMailSent &&
          "If this address has an account, an email with a link is on its way. Please open the link in this browser."}
      </p>
      <p className="mt-4 text-sm">
        <a
          href="/profile"
          onClick={sendRecovery}
          className="inline-flex min-h-11 items-center font-medium text-ink underline underline-offset-4"
        >
          Forgot your password?
        </a>
      </p>
    </>
  );
}
