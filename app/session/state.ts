/** The session as pages see it. `unknown` until storage has been read: what the server renders. */
export type SessionState =
  | { status: "unknown" }
  /** `problem`: why the link that led here did not sign anybody in. */
  | { status: "out"; problem?: string }
  | {
      status: "in";
      userId: string;
      email: string;
      /** Came by a recovery or invitation link and has not chosen a password yet. */
      needsPassword: boolean;
      /** The e-mail of somebody else, whose link was opened here. */
      offered: string | null;
    };

/** Whether a page would show the same for both. A refreshed token changes nothing. */
export function isSameState(one: SessionState, other: SessionState): boolean {
  if (one.status === "in" && other.status === "in") {
    return (
      one.userId === other.userId &&
      one.email === other.email &&
      one.needsPassword === other.needsPassword &&
      one.offered === other.offered
    );
  }
  if (one.status === "out" && other.status === "out") return one.problem === other.problem;
  return one.status === other.status;
}

/** What is shown when the auth service could not be asked; its own messages are shown as they are. */
export const NO_ANSWER = "The service does not answer. Please try again in a moment.";
