import { useState } from "react";
import { useOperation } from "../operation/use-operation.ts";
import type { Auth } from "../session/auth.ts";
import { openAuth } from "../session/open-auth.ts";
import { SERVICE_UNREACHABLE } from "../session/session.ts";

export type AuthRequest = ReturnType<typeof useAuthRequest>;

/**
 * Sends a form's auth requests, and ignores new ones while one is pending. A request resolves to the error message to
 * show, or to null.
 *
 * @param subject what the requests change, as in `useOperation`
 */
export function useAuthRequest(subject?: string) {
  const { isPending, run } = useOperation(subject);
  const [problem, setProblem] = useState<string | null>(null);
  return {
    isBusy: isPending,
    problem,
    send: (request: (auth: Auth) => Promise<string | null>, onDone?: () => void) =>
      run(async () => {
        setProblem(null);
        const message = await openAuth()
          .then(request)
          .catch(() => SERVICE_UNREACHABLE);
        setProblem(message);
        if (message === null) onDone?.();
      }),
  };
}
