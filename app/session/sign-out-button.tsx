import { useState } from "react";
import { useNavigate } from "react-router";
import { Button } from "../ui/button.tsx";
import { leavePage } from "../ui/leaving.ts";
import { focusHeading } from "../ui/page-change.ts";
import { useAuth, useSession } from "./session.ts";

/**
 * Shown only while signed in (specification §2, Shared layout). What is not saved is asked about first, because
 * the form goes with the session: 'Stay' leaves the member signed in.
 */
export function SignOutButton() {
  const session = useSession();
  const openAuth = useAuth();
  const navigate = useNavigate();
  const [isLeaving, setIsLeaving] = useState(false);
  if (session.status !== "in") return null;

  async function signOut() {
    setIsLeaving(true);
    await (await openAuth()).signOut();
    setIsLeaving(false);
    await navigate("/");
    focusHeading();
  }

  return (
    <Button disabled={isLeaving} onClick={() => leavePage(() => void signOut())}>
      Sign Out
    </Button>
  );
}
