import { type FormEvent, useId, useState } from "react";
import { fieldAttributes } from "../../common/data/columns.ts";
import { saveProfile } from "../../common/data/profile.ts";
import { PROFILE_COLUMNS } from "../../common/data/profile-columns.ts";
import type { Auth } from "../session/auth.ts";
import {
  currentSession,
  type InvitedNames,
  SERVICE_UNREACHABLE,
  type SignInLink,
} from "../session/session.ts";
import { TextField } from "../ui/field.tsx";
import { useSite } from "../ui/use-site.ts";
import { AuthCard, FormError, ProcessingButton } from "./auth-card.tsx";
import { PASSWORD_RULES, PasswordHelp, passwordProblem, UsernameForManagers } from "./password-managers.tsx";
import { useAuthRequest } from "./use-auth-request.ts";

/**
 * Shown to members who opened a recovery or invitation link. Submitting the form redeems the link, unless it has been
 * redeemed already (`link` is then undefined), and sets the password.
 */
export function NewPasswordForm({ email, link }: { email: string; link?: SignInLink | undefined }) {
  const site = useSite();
  const siteName = site?.title ?? location.host;
  const request = useAuthRequest();
  const helpId = useId();
  // Keep the first value: redeeming the link removes it, but the form must not change.
  const [isInvitation] = useState(link?.isInvitation === true);
  const [invited] = useState(link?.names ?? { full_name: "", username: "" });

  function setPassword(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const text = (name: string) => String(fields.get(name) ?? "").trim();
    const names = { full_name: text("full_name"), username: text("new_username") };
    const password = String(fields.get("password"));
    const problem = passwordProblem(password);
    if (problem !== null) {
      void request.send(async () => problem);
      return;
    }
    if (link?.createsAccount) {
      void request.send(() => link.redeem({ ...names, password }));
      return;
    }
    void request.send(
      async (auth) =>
        (await link?.redeem()) ??
        (isInvitation ? await saveNames(auth, names, invited) : null) ??
        auth.setPassword(password),
    );
  }

  return (
    <AuthCard title={isInvitation ? `Welcome to ${siteName}` : "Choose a new password"}>
      <p className="mt-3 text-muted">
        For {email || "your account"} on {siteName}
      </p>
      <form method="post" onSubmit={setPassword} aria-busy={request.isBusy} className="mt-6 space-y-4">
        <UsernameForManagers email={email} />
        {isInvitation && (
          <>
            <TextField
              label="Full Name"
              name="full_name"
              defaultValue={invited.full_name}
              autoComplete="name"
              {...fieldAttributes(PROFILE_COLUMNS.full_name)}
            />
            <TextField
              label="Username"
              name="new_username"
              defaultValue={invited.username}
              autoComplete="nickname"
              autoCapitalize="none"
              spellCheck={false}
              {...fieldAttributes(PROFILE_COLUMNS.username)}
            />
          </>
        )}
        <div>
          <TextField
            label="New password"
            type="password"
            name="password"
            required
            autoComplete="new-password"
            aria-describedby={helpId}
            {...PASSWORD_RULES}
          />
          <PasswordHelp id={helpId} />
        </div>
        <ProcessingButton isBusy={request.isBusy}>Set password</ProcessingButton>
      </form>
      <FormError>{request.problem}</FormError>
    </AuthCard>
  );
}

/** Saves the names that the member has changed. A name that the form doesn't know stays as the operator has chosen it. */
async function saveNames({ data }: Auth, names: InvitedNames, invited: InvitedNames): Promise<string | null> {
  const session = currentSession();
  const typed: Partial<InvitedNames> = {};
  for (const name of ["full_name", "username"] as const)
    if (names[name] !== invited[name]) typed[name] = names[name];
  if (session.status !== "in" || Object.keys(typed).length === 0) return null;
  return saveProfile(data, { id: session.userId, ...typed }).then(
    () => null,
    () => SERVICE_UNREACHABLE,
  );
}
