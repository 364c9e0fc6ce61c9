import { useEffect, useRef, useState } from "react";

/** The state of the dialog that asks a member to sign in again (`SignInAgain`). */
export function useSignInAgain() {
  const [isAsking, setIsAsking] = useState(false);
  /** The actions that wait for a sign-in. One answer is for all of them. */
  const waiting = useRef<((isSignedIn: boolean) => void)[]>([]);

  // A member who goes Back leaves the dialog without an answer. Later actions with the same subject would wait for it.
  useEffect(() => {
    const resolvers = waiting.current;
    return () => {
      for (const resolve of resolvers.splice(0)) resolve(false);
    };
  }, []);

  return {
    isAsking,
    /** Opens the dialog. Resolves to whether the member has signed in. */
    ask(): Promise<boolean> {
      setIsAsking(true);
      return new Promise((resolve) => {
        waiting.current.push(resolve);
      });
    },
    /** Closes the dialog. */
    answer(isSignedIn: boolean) {
      setIsAsking(false);
      for (const resolve of waiting.current.splice(0)) resolve(isSignedIn);
    },
  };
}
