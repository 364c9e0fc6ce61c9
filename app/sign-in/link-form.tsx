import type { FormEvent } from "react";
import type { SignInLink } from "../session/session.ts";
import { AuthCard, FormError, ProcessingButton } from "./auth-card.tsx";
import { useAuthRequest } from "./use-auth-request.ts";

/** Shown for a link that signs in without setting a password, such as a magic link from hosted Supabase. */
export function LinkForm({ link }: { link: SignInLink }) {
  const request = useAuthRequest();

  function signIn(event: FormEvent) {
    event.preventDefault();
    void request.send(() => link.redeem());
  }

  return (
    <AuthCard title="Sign in to your account">
      <p className="mt-3 text-muted">For {link.email || "the account that the link was sent to"}</p>
      <form onSubmit={signIn} aria-busy={request.isBusy} className="mt-6 space-y-4">
        <ProcessingButton isBusy={request.isBusy}>Continue</ProcessingButton>
      </form>
      <FormError>{request.problem}</FormError>
    </AuthCard>
  );
}
