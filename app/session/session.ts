import { createContext, use } from "react";
import type { Auth } from "./auth.ts";
import type { SessionState } from "./state.ts";

/** The current session, and how to reach the code that can change it. */
export interface Session {
  state: SessionState;
  /** Loads that code at its first call: a visitor who has no session and does not ask for one never downloads it. */
  openAuth(): Promise<Auth>;
}

export const SessionContext = createContext<Session>({
  state: { status: "unknown" },
  openAuth: () => Promise.reject(new Error("There is no session provider above")),
});

/** Returns the current session; the component renders again when it changes. */
export function useSession(): SessionState {
  return use(SessionContext).state;
}

/** Returns what loads the auth client: signing in and out, and the member's own data access. */
export function useAuth(): () => Promise<Auth> {
  return use(SessionContext).openAuth;
}
