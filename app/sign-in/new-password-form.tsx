import type { FormEvent } from "react";
import { useRouteLoaderData } from "react-router";
import type { Site } from "../../common/page-services.ts";
import type { SignInLink } from "../session/session.ts";
import { TextField } from "../ui/field.tsx";
import { AuthCard, FormError, ProcessingButton } from "./auth-card.tsx";
import { PASSWORD_RULES, UsernameForManagers } from "./password-managers.tsx";
import { useAuthRequest } from "./use-auth-request.ts";

/**
 * Shown to members who opened a recovery or invitation link. Submitting the form redeems the link, unless it has been
 * redeemed already (`link` is then undefined), and sets the password.
 */
export function NewPasswordForm({ email, link }: { email: string; link?: SignInLink | undefined }) {
  const site = useRouteLoaderData("root") as Site | undefined;
  const request = useAuthRequest();

  function setPassword(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const password = String(new FormData(event.currentTarget).get("password"));
    void request.send(async (auth) => (await link?.redeem()) ?? auth.setPassword(password));
  }

  return (
    <AuthCard title="Choose a new password">
      <p className="mt-3 text-muted">
        For {email || "your account"} on {site?.title ?? location.host}
      </p>
      <form method="post" onSubmit={setPassword} aria-busy={request.isBusy} className="mt-6 space-y-4">
        <UsernameForManagers email={email} />
        <TextField
          label="New password"
          type="password"
          name="password"
          required
          autoComplete="new-password"
          {...PASSWORD_RULES}
        />
        <ProcessingButton isBusy={request.isBusy}>Set password</ProcessingButton>
      </form>
      <FormError>{request.problem}</FormError>
    </AuthCard>
  );
}
