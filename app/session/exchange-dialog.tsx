import { Button } from "../ui/button.tsx";
import { AlertDialog } from "../ui/dialog.tsx";
import { useSession } from "./session.ts";

export function ExchangeDialog() {
  const session = useSession();
  if (session.status !== "in" || session.offer === null) return null;
  const { email, offer } = session;
  const answer = (isAccepted: boolean) => void offer.answer(isAccepted).catch(() => undefined);
  return (
    <AlertDialog
      title="Change the Account?"
      text={`You are signed in as ${email}. The link that you opened signs in ${offer.email}.`}
      onCancel={() => answer(false)}
    >
      <Button onClick={() => answer(false)}>Stay Signed In</Button>
      <Button look="primary" onClick={() => answer(true)}>
        Change Account
      </Button>
    </AlertDialog>
  );
}
