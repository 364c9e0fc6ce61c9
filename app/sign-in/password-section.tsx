import { type FormEvent, useState } from "react";
import { useSession } from "../session/session.ts";
import { announce } from "../ui/announce.tsx";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import { Panel } from "../ui/panel.tsx";
import { FormError } from "./auth-card.tsx";
import { PASSWORD_RULES, UsernameForManagers } from "./password-managers.tsx";
import { useAuthRequest } from "./use-auth-request.ts";

const CHANGED = "Your password was changed. Other devices were signed out.";

/**
 * The fields are uncontrolled, to keep passwords out of React state. If the browser ever submits the form itself,
 * `post` keeps the passwords out of the URL.
 */
export function PasswordSection() {
  const request = useAuthRequest();
  const session = useSession();
  const email = session.status === "in" ? session.email : "";
  const [isChanged, setIsChanged] = useState(false);

  function change(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = new FormData(form);
    setIsChanged(false);
    void request.send(
      (auth) => auth.changePassword(String(fields.get("current")), String(fields.get("new"))),
      () => {
        form.reset();
        setIsChanged(true);
        announce(CHANGED);
      },
    );
  }

  return (
    <Panel title="Password">
      <form method="post" onSubmit={change} aria-busy={request.isBusy}>
        <fieldset disabled={request.isBusy} className="min-w-0 space-y-4">
          <legend className="sr-only">Change your password</legend>
          <UsernameForManagers email={email} />
          <TextField
            label="Current Password"
            type="password"
            name="current"
            required
            autoComplete="current-password"
          />
          <TextField
            label="New Password"
            type="password"
            name="new"
            required
            autoComplete="new-password"
            {...PASSWORD_RULES}
          />
          <Button type="submit">Change Password</Button>
        </fieldset>
      </form>
      <FormError>{request.problem}</FormError>
      {isChanged && <p className="mt-4 text-sm font-medium">{CHANGED}</p>}
    </Panel>
  );
}
