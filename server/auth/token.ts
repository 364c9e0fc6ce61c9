import * as v from "valibot";
import type { AuthHandler } from "./auth-env.ts";
import { GoTrueError, invalid } from "./auth-error.ts";
import { read, text } from "./json-body.ts";
import { signIn } from "./password-grant.ts";
import { answersChallenge } from "./pkce.ts";
import { redeemCode } from "./store/link-tokens.ts";
import { refreshSession } from "./store/refresh-tokens.ts";
import { startSession } from "./store/sessions.ts";
import { changeUser, getUser } from "./store/users.ts";

/** GoTrue, internal/api/token.go. */
export const token: AuthHandler = (c) => {
  switch (c.req.query("grant_type")) {
    case "password":
      return signIn(c);
    case "refresh_token":
      return refresh(c);
    case "pkce":
      return exchangeCode(c);
    default:
      throw new GoTrueError(400, "invalid_credentials", "unsupported_grant_type");
  }
};

const refresh: AuthHandler = async (c) => {
  const { transaction, sessionBody } = c.var.services;
  const { refresh_token } = read(c.var.body, v.object({ refresh_token: text }));
  const refreshed = await transaction(async (client) => {
    const session = await refreshSession(client, refresh_token);
    return session && { session, user: await getUser(client, session.userId) };
  });
  if (refreshed) return c.json(await sessionBody(refreshed));
  throw new GoTrueError(400, "refresh_token_already_used", "Invalid Refresh Token: Already Used");
};

/** A wrong verifier rolls back: the link still works in the browser that asked for it. */
const exchangeCode: AuthHandler = async (c) => {
  const { transaction, sessionBody } = c.var.services;
  const { auth_code, code_verifier } = read(c.var.body, v.object({ auth_code: text, code_verifier: text }));
  if (auth_code === "" || code_verifier === "") {
    throw invalid("invalid request: both auth code and code verifier should be non-empty");
  }
  const signedIn = await transaction(async (client) => {
    const issued = await redeemCode(client, auth_code);
    if (!issued) {
      throw new GoTrueError(404, "flow_state_not_found", "invalid flow state, no valid flow state found");
    }
    if (issued.isExpired) {
      throw new GoTrueError(422, "flow_state_expired", "invalid flow state, flow state has expired");
    }
    if (!answersChallenge(issued.challenge, code_verifier)) {
      const message = "code challenge does not match previously saved code verifier";
      throw new GoTrueError(400, "bad_code_verifier", message);
    }
    await changeUser(client, issued.userId, { isConfirmed: true });
    return startSession(client, issued.userId);
  });
  return c.json(await sessionBody(signedIn));
};
