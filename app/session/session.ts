import { useSyncExternalStore } from "react";

/** The session state for pages. The server renders `unknown`, which lasts until storage has been read. */
export type SessionState =
  | { status: "unknown" }
  | { status: "out"; problem?: string; link?: SignInLink }
  | {
      status: "in";
      userId: string;
      email: string;
      /** Signed in by a recovery or invitation link and has not chosen a password yet. */
      needsPassword: boolean;
      link?: SignInLink | undefined;
      /** Why a link that was opened while signed in does not work. */
      problem?: string | undefined;
    };

/** An unredeemed mailed link that this page was opened with. */
export interface SignInLink {
  /** The link's account. Empty if the backend doesn't return it. */
  email: string;
  setsPassword: boolean;
  /** Signs in with the link. Resolves to the message to show, or null. */
  redeem(): Promise<string | null>;
  dismiss(): void;
}

/** Shown if the auth service can't be reached. The service's own messages are shown unchanged. */
export const SERVICE_UNREACHABLE = "The service is not responding. Try again in a moment.";

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
