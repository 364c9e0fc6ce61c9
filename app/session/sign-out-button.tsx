import { useSubmit } from "react-router";
import { Button } from "../ui/button.tsx";
import { useSession } from "./session.ts";

export function SignOutButton() {
  const session = useSession();
  const submit = useSubmit();
  if (session.status !== "in") return null;
  // The action of the home page, to which signing out leads.
  return <Button onClick={() => void submit(null, { method: "post", action: "/?index" })}>Sign Out</Button>;
}
