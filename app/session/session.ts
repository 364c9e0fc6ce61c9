import { createContext, use } from "react";

/** The session as pages see it. `unknown` until storage has been read: what the server renders. */
export type SessionState =
  | { status: "unknown" }
  | { status: "out" }
  | { status: "in"; userId: string; accessToken: string };

export const SessionContext = createContext<SessionState>({ status: "unknown" });

/** Returns the current session; the component renders again when it changes. */
export function useSession(): SessionState {
  return use(SessionContext);
}
