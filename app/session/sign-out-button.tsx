import { useSession } from "./session.ts";

/** Shown only while signed in (specification §2, Shared layout). */
export function SignOutButton() {
  return useSession().status === "in" ? <button type="button">Sign Out</button> : null;
}
