import { announce } from "../ui/announce.tsx";
import { focusHeading } from "../ui/focus.ts";

/** As the action of a navigation it runs behind the unsaved-changes guard and before the address changes. */
export async function signOut(): Promise<void> {
  const { currentAuth } = await import("./auth.ts");
  void currentAuth()
    ?.signOut()
    .then(() => {
      announce("You are signed out.");
      focusHeading();
    });
}
