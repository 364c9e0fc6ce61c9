import { LIMITS } from "../../config/limits.ts";
import type { Log } from "../../http/log.ts";
import type { AuthTransaction } from "../auth-env.ts";
import { setOperator } from "../store/identities.ts";
import { claimDueCheck, confirmProviderSession, endSession } from "../store/provider-sessions.ts";
import type { Encryption } from "./encryption.ts";
import type { Credential, Provider } from "./provider.ts";
import { failureOf } from "./sign-in-error.ts";

export type SessionCheck = ReturnType<typeof createSessionCheck>;

/**
 * The returned function asks the provider at most once an hour whether it still accepts the sign-in of the session to
 * which a refresh token belongs. If the provider rejects it, the session ends. If the provider doesn't respond, the
 * session continues until the provider has not confirmed it for a day. With OIDC_OPERATORS, the member's role follows the
 * groups that the provider names now.
 */
export function createSessionCheck(
  transaction: AuthTransaction,
  provider: Provider,
  credentials: Encryption<Credential>,
  operatorGroups: string[] | undefined,
  log: Log,
) {
  let pausedUntil = 0;
  return async (requestId: string, refreshToken: string): Promise<void> => {
    if (performance.now() < pausedUntil) return;
    const due = await transaction((client) => claimDueCheck(client, refreshToken));
    if (due === undefined) return;
    const { sessionId, isOverdue } = due;
    const end = (reason: string) => {
      log.info({ requestId, sessionId, reason }, "sso.session_ended");
      return transaction((client) => endSession(client, sessionId));
    };
    const credential = await credentials.decrypt(due.credential);
    if (credential === undefined) return end("secret_changed");
    const response = await provider.confirm(credential, operatorGroups !== undefined).then(
      (confirmed) => ({ confirmed }),
      (error: unknown) => ({ failure: failureOf(error) }),
    );
    if ("failure" in response) {
      pausedUntil = performance.now() + LIMITS.provider.pauseMs;
      log.warn({ requestId, ...response.failure }, "sso.check_failed");
      return isOverdue ? end("not_confirmed") : undefined;
    }
    if (response.confirmed === undefined) return end("rejected");
    const { credential: next, groups } = response.confirmed;
    const encrypted = await credentials.encrypt(next);
    return transaction(async (client) => {
      const userId = await confirmProviderSession(client, sessionId, encrypted);
      if (operatorGroups === undefined || groups === undefined || userId === undefined) return;
      await setOperator(
        client,
        userId,
        operatorGroups.some((group) => groups.includes(group)),
      );
    });
  };
}
