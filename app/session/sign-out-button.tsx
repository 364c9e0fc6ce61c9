import { useSubmit } from "react-router";
import { Button } from "../ui/button.tsx";
import { useSession } from "./session.ts";

export function SignOutButton() {
  const session = useSession();
  const submit = useSubmit();
  if (session.status !== "in") return null;
  return <Button onClick={() => void submit(null, { method: "post", action: "/" })}>Sign Out</Button>;
}
