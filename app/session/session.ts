import { useSyncExternalStore } from "react";

/** The session as pages see it. `unknown` until storage has been read: what the server renders. */
export type SessionState =
  | { status: "unknown" }
  | { status: "out"; problem?: string }
  | {
      status: "in";
      userId: string;
      email: string;
      /** Came by a recovery or invitation link and has not chosen a password yet. */
      needsPassword: boolean;
      offer: Offer | null;
      /** Of a link that was opened while signed in. */
      problem?: string | undefined;
    };

/** Another member's session, which a link brought. */
export interface Offer {
  email: string;
  answer(isAccepted: boolean): Promise<void>;
}

/** What is shown when the auth service could not be asked; its own messages are shown as they are. */
export const NO_ANSWER = "The service does not answer. Please try again in a moment.";

const UNKNOWN = { status: "unknown" } as const;
let state: SessionState = UNKNOWN;
const listeners = new Set<() => void>();

export const currentSession = (): SessionState => state;

export function reportSession(next: SessionState): void {
  if (JSON.stringify(next) === JSON.stringify(state)) return;
  state = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useSession = () => useSyncExternalStore<SessionState>(subscribe, currentSession, () => UNKNOWN);
