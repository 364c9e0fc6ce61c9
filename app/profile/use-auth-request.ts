import { useState } from "react";
import type { Auth } from "../session/auth.ts";
import { useAuth } from "../session/session.ts";
import { NO_ANSWER } from "../session/state.ts";
import { useKeptFocus } from "../ui/use-kept-focus.ts";

/** A form's conversation with the auth service: one request at a time, and what came of the last one. */
interface AuthRequest {
  isBusy: boolean;
  problem: string | null;
  /** Takes what to ask; returns whether it was done. */
  send(request: (auth: Auth) => Promise<string | null>): Promise<boolean>;
}

/** Returns it, at rest. */
export function useAuthRequest(): AuthRequest {
  const openAuth = useAuth();
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const holdFocus = useKeptFocus(isBusy);
  return {
    isBusy,
    problem,
    async send(request) {
      holdFocus();
      setIsBusy(true);
      setProblem(null);
      const answer = await openAuth()
        .then(request)
        .catch(() => NO_ANSWER);
      setIsBusy(false);
      setProblem(answer);
      return answer === null;
    },
  };
}
