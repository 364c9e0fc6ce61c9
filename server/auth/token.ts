import * as v from "valibot";
import type { AuthHandler } from "./auth-env.ts";
import { GoTrueError, invalid } from "./auth-error.ts";
import type { AuthTransaction } from "./auth-transaction.ts";
import { optionalText, readAttributes } from "./json-body.ts";
import { requireCode } from "./pkce.ts";
import { redeemCode } from "./store/link-tokens.ts";
import { refreshSession } from "./store/refresh-tokens.ts";
import { type SignedIn, startSession } from "./store/sessions.ts";
import { changeUser, getUser } from "./store/users.ts";

type SessionBody = (signedIn: SignedIn) => Promise<object>;

/** Starts or refreshes a session (GoTrue's internal/api/token.go). `signIn` handles sign-ins with a password. */
export function token(
  transaction: AuthTransaction,
  sessionBody: SessionBody,
  signIn: AuthHandler,
): AuthHandler {
  const refresh = refreshGrant(transaction, sessionBody);
  const exchangeCode = pkceGrant(transaction, sessionBody);
  return (c) => {
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
}

function refreshGrant(transaction: AuthTransaction, sessionBody: SessionBody): AuthHandler {
  return async (c) => {
    const { refresh_token } = readAttributes(c.var.body, v.object({ refresh_token: optionalText }));
    const refreshed = await transaction(async (client) => {
      const session = await refreshSession(client, refresh_token);
      return session && { session, user: await getUser(client, session.userId) };
    });
    if (refreshed) return c.json(await sessionBody(refreshed));
    throw new GoTrueError(400, "refresh_token_already_used", "Invalid Refresh Token: Already Used");
  };
}

/**
 * Signs a member in with the code of a recovery link. A wrong verifier rolls the transaction back, so that the link
 * still works in the browser that requested it.
 */
function pkceGrant(transaction: AuthTransaction, sessionBody: SessionBody): AuthHandler {
  return async (c) => {
    const { auth_code, code_verifier } = readAttributes(
      c.var.body,
      v.object({ auth_code: optionalText, code_verifier: optionalText }),
    );
    if (auth_code === "" || code_verifier === "") {
      throw invalid("invalid request: both auth code and code verifier should be non-empty");
    }
    const signedIn = await transaction(async (client) => {
      const { userId } = requireCode(await redeemCode(client, auth_code), code_verifier);
      await changeUser(client, userId, { isConfirmed: true });
      return startSession(client, userId);
    });
    return c.json(await sessionBody(signedIn));
  };
}
