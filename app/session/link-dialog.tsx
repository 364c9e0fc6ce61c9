import { Button } from "../ui/button.tsx";
import { AlertDialog } from "../ui/dialog.tsx";
import { reportSession, type SessionState } from "./session.ts";

type Member = SessionState & { status: "in" };

/** Shown to members with a session if they open a mailed link that fails or is for another account. */
export default function LinkDialog({ session }: { session: Member }) {
  if (session.problem) return <LinkProblem session={session} problem={session.problem} />;
  return <AccountQuestion session={session} />;
}

function LinkProblem({ session, problem }: { session: Member; problem: string }) {
  const close = () => reportSession({ ...session, problem: undefined });
  return (
    <AlertDialog title="The Link Does Not Work" text={problem} onCancel={close}>
      <Button variant="primary" onClick={close}>
        Close
      </Button>
    </AlertDialog>
  );
}

/** Asks for confirmation before a link that may be for another account replaces the member's session. */
function AccountQuestion({ session }: { session: Member }) {
  const { link } = session;
  if (!link) return null;
  async function changeAccount() {
    const problem = await link?.redeem();
    if (problem) reportSession({ ...session, link: undefined, problem });
  }
  const account = link.email ? `is for ${link.email}` : "may be for another account";
  return (
    <AlertDialog
      title="Switch Accounts?"
      text={`You are signed in as ${session.email}. The link that you opened ${account}.`}
      onCancel={link.dismiss}
    >
      <Button onClick={link.dismiss}>Stay Signed In</Button>
      <Button variant="primary" onClick={() => void changeAccount()}>
        Switch Accounts
      </Button>
    </AlertDialog>
  );
}
