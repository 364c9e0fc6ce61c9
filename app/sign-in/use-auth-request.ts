import { useState } from "react";
import type { Auth } from "../session/auth.ts";
import { openAuth } from "../session/open-auth.ts";
import { SERVICE_UNREACHABLE } from "../session/session.ts";
import { useSending } from "../ui/use-sending.ts";

/** Sends a form's auth requests one at a time. Requests resolve to the message to show, or null. */
export function useAuthRequest() {
  const { isSending, send } = useSending();
  const [problem, setProblem] = useState<string | null>(null);
  return {
    isBusy: isSending,
    problem,
    ask: (request: (auth: Auth) => Promise<string | null>, onDone?: () => void) =>
      send(async () => {
        setProblem(null);
        const answer = await openAuth()
          .then(request)
          .catch(() => SERVICE_UNREACHABLE);
        setProblem(answer);
        if (answer === null) onDone?.();
      }),
  };
}
