import { announce } from "../ui/announce.tsx";
import { focusHeading } from "../ui/focus.ts";
import { openAuth } from "./open-auth.ts";

/** As the action of a navigation it runs behind the unsaved-changes guard and before the address changes. */
export async function signOut(): Promise<void> {
  const auth = await openAuth().catch(() => null);
  if (!auth) return;
  void auth.signOut();
  announce("You are signed out.");
  focusHeading();
}
