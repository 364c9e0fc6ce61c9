import { Button } from "../ui/button.tsx";
import { AlertDialog } from "../ui/dialog.tsx";
import { openAuth } from "./open-auth.ts";
import { useSession } from "./session.ts";

export function ExchangeDialog() {
  const session = useSession();
  if (session.status !== "in" || session.offered === null) return null;
  const { email, offered } = session;
  const answer = (isAccepted: boolean) =>
    void openAuth()
      .then((auth) => auth.answerExchange(isAccepted))
      .catch(() => undefined);
  return (
    <AlertDialog
      title="Change the Account?"
      text={`You are signed in as ${email}. The link that you opened signs in ${offered}.`}
      onCancel={() => answer(false)}
    >
      <Button onClick={() => answer(false)}>Stay Signed In</Button>
      <Button look="primary" onClick={() => answer(true)}>
        Change Account
      </Button>
    </AlertDialog>
  );
}
