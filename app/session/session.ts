import { useSyncExternalStore } from "react";
import type { NewAccount } from "./mail-link.ts";

/** The session that pages see. It is `unknown` on the server, and in the browser until storage has been read. */
export type SessionState =
  | { status: "unknown" }
  | { status: "out"; problem?: string; notice?: string; link?: SignInLink }
  | {
      status: "in";
      userId: string;
      email: string;
      /** False if the member can sign in only at an identity provider. */
      hasPassword: boolean;
      /** Whether to show operators' links. The server checks the role itself on every request. */
      isOperator: boolean;
      /** Whether the member signed in with a recovery or invitation link and has not chosen a password yet. */
      needsPassword: boolean;
      link?: SignInLink | undefined;
      /** Why the link that the member opened does not work. */
      problem?: string | undefined;
    };

export interface InvitedNames {
  full_name: string;
  username: string;
}

/** The mailed link that opened this page, before it is redeemed. */
export interface SignInLink {
  /** The email address of the link's account. Empty if neither the backend nor the link reveals it. */
  email: string;
  setsPassword: boolean;
  isInvitation: boolean;
  /** The names that the operator has entered with the invitation, if the backend reveals them. */
  names?: InvitedNames | undefined;
  /** Whether the link creates the account. `redeem` then sets the password and the names. */
  createsAccount: boolean;
  /**
   * Signs in with the link. Resolves to the error message to show, or to null. A link that creates an account with a
   * password needs `account`; without it, only ends the current session.
   */
  redeem(account?: NewAccount): Promise<string | null>;
  dismiss(): void;
}

/** Shown if the auth service is unreachable or overloaded. */
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

const currentlyOperates = () => state.status === "in" && state.isOperator;

export const useIsOperator = () => useSyncExternalStore(subscribe, currentlyOperates, () => false);

const currentUserId = () => (state.status === "in" ? state.userId : null);

/**
 * Returns the id of the signed-in member, or null. Unlike `useSession`, it doesn't re-render a page for visitors, whose
 * session state changes from `unknown` to `out` after hydration.
 */
export const useUserId = () => useSyncExternalStore(subscribe, currentUserId, () => null);
