import type { Context } from "hono";
import { invalid } from "./auth-error.ts";
import type { AuthEnv } from "./guards.ts";
import type { AuthServices } from "./services.ts";
import { endSessions, signOutScopes } from "./store/sessions.ts";

/** `POST /logout`: ends the sessions that `scope` names, all of them unless told (GoTrue, internal/api/logout.go). */
export function logoutHandler({ database }: AuthServices) {
  return async (c: Context<AuthEnv>): Promise<Response> => {
    const asked = c.req.query("scope") || "global";
    const scope = signOutScopes.find((known) => known === asked);
    if (scope === undefined) throw invalid("Unsupported logout scope");
    const { authContext, userId, sessionId } = c.get("member");
    await database.transaction(authContext, (client) => endSessions(client, userId, sessionId, scope));
    return c.body(null, 204);
  };
}
