import { useSubmit } from "react-router";
import { Button } from "../ui/button.tsx";
import { useAuth, useSession } from "./session.ts";

export function SignOutButton() {
  const session = useSession();
  const openAuth = useAuth();
  const submit = useSubmit();
  if (session.status !== "in") return null;
  // The action of the home page, to which signing out leads; it needs the auth client.
  const leave = () => void submit(null, { method: "post", action: "/?index" });
  return <Button onClick={() => void openAuth().then(leave, leave)}>Sign Out</Button>;
}
