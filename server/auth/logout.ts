import type { AuthHandler } from "./auth-env.ts";
import { invalid } from "./auth-error.ts";
import type { AuthServices } from "./services.ts";
import { endSessions, SIGN_OUT_SCOPES } from "./store/sessions.ts";

/** GoTrue, internal/api/logout.go. */
export function logoutHandler({ database }: AuthServices): AuthHandler {
  return async (c) => {
    const asked = c.req.query("scope") || "global";
    const scope = SIGN_OUT_SCOPES.find((known) => known === asked);
    if (scope === undefined) throw invalid("Unsupported logout scope");
    const { authContext, userId, sessionId } = c.var.member;
    await database.transaction(authContext, (client) => endSessions(client, userId, sessionId, scope));
    return c.body(null, 204);
  };
}
