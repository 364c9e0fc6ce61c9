import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { announce } from "../ui/announce.tsx";
import { Button } from "../ui/button.tsx";
import { focusHeading } from "../ui/focus.ts";
import { useAuth, useSession } from "./session.ts";

/** Travels with the navigation, so that the unsaved-changes guard decides whether the sign-out takes place. */
const SIGN_OUT = "sign-out";

/** Shown only while signed in (specification §2, Shared layout). */
export function SignOutButton() {
  const session = useSession();
  const openAuth = useAuth();
  const navigate = useNavigate();
  const { state } = useLocation();
  const [isLeaving, setIsLeaving] = useState(false);

  useEffect(() => {
    if (state !== SIGN_OUT) return;
    setIsLeaving(true);
    // Taken out of the history at once: coming back to this page must not sign out the next session.
    void navigate("/", { replace: true, state: null });
    openAuth()
      .then((auth) => auth.signOut())
      .then(() => {
        announce("You are signed out.");
        focusHeading();
      })
      .catch(() => undefined)
      .finally(() => setIsLeaving(false));
  }, [state, navigate, openAuth]);

  if (session.status !== "in") return null;
  return (
    // In one step with the change of address: whoever goes on at once must not stay signed in.
    <Button disabled={isLeaving} onClick={() => void navigate("/", { state: SIGN_OUT, flushSync: true })}>
      Sign Out
    </Button>
  );
}
