import { createContext, use } from "react";
import type { Auth } from "./auth.ts";
import type { SessionState } from "./state.ts";

export interface Session {
  state: SessionState;
  /** Loads the auth client at its first call: a visitor without a session never downloads it. */
  openAuth(): Promise<Auth>;
}

export const SessionContext = createContext<Session>({
  state: { status: "unknown" },
  openAuth: () => Promise.reject(new Error("There is no session provider above")),
});

export function useSession(): SessionState {
  return use(SessionContext).state;
}

export function useAuth(): () => Promise<Auth> {
  return use(SessionContext).openAuth;
}
