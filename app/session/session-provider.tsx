import type { ReactNode } from "react";
import type { Backend } from "../data/client.ts";
import { SessionContext } from "./session.ts";

/** Takes the backend, gives the pages below the current session. */
export function SessionProvider({ children }: { backend: Backend | undefined; children: ReactNode }) {
  return <SessionContext value={{ status: "unknown" }}>{children}</SessionContext>;
}
