import { useId } from "react";
import type { JoinState } from "../../common/data/invitation-links.ts";
import { AuthCard, FormError } from "../sign-in/auth-card.tsx";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";

/** The page of an invitation link. Its form is sent to the server, with or without scripts. */
export function JoinPage({ state }: { state: JoinState }) {
  return (
    <AuthCard title={`Join ${state.siteName}`}>
      {state.is === "invalid" && <p className="mt-4">This invitation link is no longer valid.</p>}
      {state.is === "sent" && (
        <p className="mt-4 wrap-anywhere">
          {`We have sent an email to ${state.email}. Open the link in it to choose a password.`}
        </p>
      )}
      {(state.is === "open" || state.is === "rejected") && <EmailForm state={state} />}
    </AuthCard>
  );
}

function EmailForm({ state }: { state: JoinState & { is: "open" | "rejected" } }) {
  const problemId = useId();
  const isRejected = state.is === "rejected";
  return (
    <>
      <p className="mt-3 text-muted">
        {state.is === "open" && state.domains.length > 0
          ? `You have been invited. This link is for addresses at ${state.domains.join(", ")}.`
          : "You have been invited. Enter your email address to get a link for choosing a password."}
      </p>
      <form method="post" className="mt-6 space-y-4">
        <TextField
          label="Email"
          type="email"
          name="email"
          required
          maxLength={255}
          autoComplete="email"
          defaultValue={isRejected ? state.email : ""}
          {...(isRejected && { "aria-invalid": true, "aria-describedby": problemId, autoFocus: true })}
        />
        <Button
          type="submit"
          variant="primary"
          className="w-full"
          // The second click of a double-click would send a second email.
          onClick={(event) => {
            if (event.detail > 1) event.preventDefault();
          }}
        >
          Send Invitation
        </Button>
      </form>
      {isRejected && (
        <div className="wrap-anywhere">
          <FormError id={problemId}>{state.problem}</FormError>
        </div>
      )}
    </>
  );
}
