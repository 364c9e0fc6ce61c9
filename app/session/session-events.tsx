import { useEffect, useLayoutEffect } from "react";
import type { Backend } from "../data/client.ts";
import { Button } from "../ui/button.tsx";
import { AlertDialog } from "../ui/dialog.tsx";
import { useListener } from "../ui/use-listener.ts";
import { readMailLink } from "./mail-link.ts";
import { openAuth, setBackend } from "./open-auth.ts";
import { reportSession, useSession } from "./session.ts";
import { holdsSession, needsPassword, SESSION_KEY, storedMember } from "./storage.ts";

// Fetched while React still hydrates, so that members see their part of the page that much earlier.
if (typeof document !== "undefined" && holdsSession()) import("./auth.ts").catch(() => undefined);

const isByLink = () => readMailLink(location.href) !== null;

function look(): void {
  const signedOut = () => reportSession({ status: "out" });
  if (holdsSession() || isByLink()) openAuth().catch(signedOut);
  else signedOut();
}

/** The session is read once at load, then follows the auth events of this tab and the others (specification §4). */
export function SessionEvents({ backend }: { backend: Backend | undefined }) {
  const session = useSession();

  useEffect(() => {
    setBackend(backend);
    // The form need not wait for the auth client, which reads the same.
    const member = isByLink() ? null : storedMember();
    if (member)
      reportSession({ status: "in", ...member, needsPassword: needsPassword(member.userId), offer: null });
    look();
  }, [backend]);
  useListener("storage", ({ key }) => {
    if (key === SESSION_KEY || key === null) look();
  });
  useListener("pageshow", look);

  useLayoutEffect(() => {
    if (session.status !== "unknown") {
      document.documentElement.toggleAttribute("data-session", session.status === "in");
    }
  }, [session]);

  if (session.status !== "in") return null;
  if (session.problem) {
    const close = () => reportSession({ ...session, problem: undefined });
    return (
      <AlertDialog title="The Link Does Not Work" text={session.problem} onCancel={close}>
        <Button look="primary" onClick={close}>
          Close
        </Button>
      </AlertDialog>
    );
  }
  if (session.offer === null) return null;
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
