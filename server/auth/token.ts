import type { Context } from "hono";
import type { AuthEnv, AuthHandler } from "./auth-env.ts";
import { GoTrueError, invalid } from "./auth-error.ts";
import { textField } from "./json-body.ts";
import { signIn } from "./password-grant.ts";
import { answersChallenge } from "./pkce.ts";
import type { AuthServices } from "./services.ts";
import { dropCodes, findCode } from "./store/codes.ts";
import { refreshSession } from "./store/refresh-tokens.ts";
import { startSession } from "./store/sessions.ts";
import { getUser } from "./store/users.ts";

/** A session by password, by refresh token or by the code of a link (GoTrue, internal/api/token.go). */
export function tokenHandler(services: AuthServices): AuthHandler {
  return (c) => {
    switch (c.req.query("grant_type")) {
      case "password":
        return signIn(c, services);
      case "refresh_token":
        return refresh(c, services);
      case "pkce":
        return exchangeCode(c, services);
      default:
        throw new GoTrueError(400, "invalid_credentials", "unsupported_grant_type");
    }
  };
}

async function refresh(c: Context<AuthEnv>, services: AuthServices): Promise<Response> {
  const token = textField(c.var.body, "refresh_token");
  if (token === "") throw invalid("Refresh token is not valid");
  const refreshed = await services.transaction(async (client) => {
    const session = await refreshSession(client, token);
    return session && { session, user: await getUser(client, session.userId) };
  });
  if (refreshed) return c.json(await services.sessionBody(refreshed));
  throw new GoTrueError(400, "refresh_token_already_used", "Invalid Refresh Token: Already Used");
}

async function exchangeCode(c: Context<AuthEnv>, services: AuthServices): Promise<Response> {
  const code = textField(c.var.body, "auth_code");
  const verifier = textField(c.var.body, "code_verifier");
  if (code === "" || verifier === "") {
    throw invalid("invalid request: both auth code and code verifier should be non-empty");
  }
  const signedIn = await services.transaction(async (client) => {
    const issued = await findCode(client, code);
    if (!issued) {
      throw new GoTrueError(404, "flow_state_not_found", "invalid flow state, no valid flow state found");
    }
    if (issued.isExpired) {
      throw new GoTrueError(422, "flow_state_expired", "invalid flow state, flow state has expired");
    }
    if (!answersChallenge(issued.challenge, verifier)) {
      const message = "code challenge does not match previously saved code verifier";
      throw new GoTrueError(400, "bad_code_verifier", message);
    }
    await dropCodes(client, issued.userId);
    return startSession(client, issued.userId);
  });
  return c.json(await services.sessionBody(signedIn));
}
