import type { Log } from "../../http/log.ts";
import type { AuthHandler, AuthTransaction } from "../auth-env.ts";
import { endSession, providerSessionsOf } from "../store/provider-sessions.ts";
import { PROVIDER } from "./account.ts";
import type { Encryption } from "./encryption.ts";
import type { Credential, Provider } from "./provider.ts";
import { failureOf } from "./sign-in-error.ts";

interface ProviderLogoutDependencies {
  transaction: AuthTransaction;
  provider: Provider;
  credentials: Encryption<Credential>;
  log: Log;
}

/**
 * Ends a person's sessions when the provider says so (OpenID Connect Back-Channel Logout 1.0). If the provider names one
 * of its sessions (`sid`), the sessions that it began end, and otherwise all that began at the provider.
 */
export function providerLogout({
  transaction,
  provider,
  credentials,
  log,
}: ProviderLogoutDependencies): AuthHandler {
  return async (c) => {
    const { requestId, bytes } = c.var;
    const token = new URLSearchParams(Buffer.from(bytes).toString()).get("logout_token") ?? "";
    const logout = await provider.readLogoutToken(token).catch((error: unknown) => {
      log.warn({ requestId, ...failureOf(error) }, "sso.logout_rejected");
    });
    if (logout === undefined) {
      const error_description = "The logout token is invalid, or names no person (sub)";
      return c.json({ error: "invalid_request", error_description }, 400);
    }
    const ended = await transaction(async (client) => {
      const sessions = await providerSessionsOf(client, { ...logout, provider: PROVIDER });
      const ids: string[] = [];
      for (const { sessionId, credential } of sessions) {
        const sid = logout.sid && (await credentials.decrypt(credential))?.sid;
        if (sid && sid !== logout.sid) continue;
        await endSession(client, sessionId);
        ids.push(sessionId);
      }
      return ids;
    });
    for (const sessionId of ended) {
      log.info({ requestId, sessionId, reason: "provider_logout" }, "sso.session_ended");
    }
    return c.body(null, 200);
  };
}
