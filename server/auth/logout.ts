import type { AuthHandler } from "./auth-env.ts";
import { invalid } from "./auth-error.ts";
import { endSessions, isScope } from "./store/sessions.ts";

/** Ends all of the member's sessions, only the current one, or all others, depending on `scope` (GoTrue's internal/api/logout.go). */
export const logout: AuthHandler = async (c) => {
  const scope = c.req.query("scope") || "global";
  if (!isScope(scope)) throw invalid("Unsupported logout scope");
  const { transaction, userId, sessionId } = c.var.member;
  await transaction((client) => endSessions(client, userId, sessionId, scope));
  return c.body(null, 204);
};
