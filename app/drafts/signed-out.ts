import { useNavigation } from "react-router";

export const SIGNED_OUT = "You are signed out. Your text is kept as a draft.";

/** Whether to show that the session has ended. A member who signs out is leaving the page anyway. */
export function useIsSignedOut(form: { isSignedOut: boolean }): boolean {
  const { state } = useNavigation();
  return form.isSignedOut && state === "idle";
}
