import { type FormEvent, useReducer, useState } from "react";
import { reduceForm, startForm } from "../drafts/form.ts";
import { useSession } from "../session/session.ts";
import { announce } from "../ui/announce.tsx";
import { Button } from "../ui/button.tsx";
import { fieldOf, TextField } from "../ui/field.tsx";
import { Fieldset } from "../ui/fieldset.tsx";
import { Panel } from "../ui/panel.tsx";
import { FormError } from "./auth-card.tsx";
import { PASSWORD_RULES, UsernameForManagers } from "./password-managers.tsx";
import { useAuthRequest } from "./use-auth-request.ts";

const CHANGED = "Your password was changed. Other devices were signed out.";

const EMPTY = { current: "", new: "" };

/** If the browser ever submits the form itself, `post` keeps the passwords out of the URL. */
export function PasswordSection() {
  const request = useAuthRequest();
  const session = useSession();
  const email = session.status === "in" ? session.email : "";
  const [isChanged, setIsChanged] = useState(false);
  const [{ id: formId, values }, send] = useReducer(reduceForm<typeof EMPTY>, EMPTY, startForm<typeof EMPTY>);
  const field = fieldOf(values, (part) => send({ type: "changed", part }), {});
  const isEdited = values.current !== "" || values.new !== "";

  function change(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    setIsChanged(false);
    void request.send(
      (auth) => auth.changePassword(values.current, values.new),
      () => {
        send({ type: "saved", formId, base: EMPTY });
        setIsChanged(true);
        announce(CHANGED);
      },
    );
  }

  return (
    <Panel title="Password" anchor="password">
      <form method="post" onSubmit={change} aria-busy={request.isBusy} data-unsaved={isEdited || undefined}>
        <Fieldset isBusy={request.isBusy} className="min-w-0 space-y-4">
          <legend className="sr-only">Change your password</legend>
          <UsernameForManagers email={email} />
          <TextField
            label="Current Password"
            type="password"
            required
            autoComplete="current-password"
            {...field("current")}
          />
          <TextField
            label="New Password"
            type="password"
            required
            autoComplete="new-password"
            {...PASSWORD_RULES}
            {...field("new")}
          />
          <Button type="submit">Change Password</Button>
        </Fieldset>
      </form>
      <FormError>{request.problem}</FormError>
      {isChanged && <p className="mt-4 text-sm font-medium">{CHANGED}</p>}
    </Panel>
  );
}
