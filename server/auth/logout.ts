import type { AuthHandler } from "./auth-env.ts";
import { invalid } from "./auth-error.ts";

/** GoTrue, internal/api/logout.go. */
export const logout: AuthHandler = async (c) => {
  const scope = c.req.query("scope") || "global";
  if (!["global", "local", "others"].includes(scope)) throw invalid("Unsupported logout scope");
  const { transaction, userId, sessionId } = c.var.member;
  const text = `delete from auth.sessions where user_id = $1
    and case $3 when 'local' then id = $2 when 'others' then id <> $2 else true end`;
  await transaction((client) => client.query(text, [userId, sessionId, scope]));
  return c.body(null, 204);
};
