import * as v from "valibot";
import type { AuthHandler, AuthTransaction } from "./auth-env.ts";
import { GoTrueError, invalid, invalidCredentials, passwordsDisabled } from "./auth-error.ts";
import { normalizeEmail } from "./email-address.ts";
import { optionalText, readAttributes } from "./json-body.ts";
import type { SessionCheck } from "./oidc/session-check.ts";
import type { CheckPassword } from "./password-check.ts";
import { requireCode } from "./pkce.ts";
import { redeemCode } from "./store/link-tokens.ts";
import { endPasswordSession, storeProviderSession } from "./store/provider-sessions.ts";
import { refreshSession } from "./store/refresh-tokens.ts";
import { findCredentials, type SignedIn, startSession, startSessionWithPassword } from "./store/sessions.ts";
import { changeUser, getUser } from "./store/users.ts";

interface TokenDependencies {
  transaction: AuthTransaction;
  sessionBody: SessionBody;
  checkPassword: CheckPassword;
  /** False if members can sign in only at a provider. */
  hasPasswords: boolean;
  /** Ends a session that the provider no longer accepts. Undefined without single sign-on. */
  checkProviderSession: SessionCheck | undefined;
}

type SessionBody = (signedIn: SignedIn) => Promise<object>;

/** Starts or refreshes a session (GoTrue's internal/api/token.go). */
export function token(dependencies: TokenDependencies): AuthHandler {
  const signIn = passwordGrant(dependencies);
  const refresh = refreshGrant(dependencies);
  const exchangeCode = pkceGrant(dependencies);
  return (c) => {
    switch (c.req.query("grant_type")) {
      case "password":
        if (!dependencies.hasPasswords) throw passwordsDisabled();
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

const CREDENTIALS = v.object({ email: optionalText, password: optionalText, phone: optionalText });

/**
 * Does the same work for an unknown email address as for a wrong password, so that the duration of the response doesn't
 * reveal which accounts exist.
 */
function passwordGrant({ checkPassword, sessionBody }: TokenDependencies): AuthHandler {
  return async (c) => {
    const { email: typed, password, phone } = readAttributes(c.var.body, CREDENTIALS);
    if (phone !== "") throw new GoTrueError(422, "phone_provider_disabled", "Phone logins are disabled");
    if (typed === "") throw invalid("missing email or phone");
    const email = normalizeEmail(typed);
    const signedIn = await checkPassword(c, {
      email: email ?? typed,
      password,
      findAccount: (client) => findCredentials(client, email),
      wrongPasswordError: invalidCredentials(),
      onCorrect: (client, { id, hash }) => startSessionWithPassword(client, id, hash),
    });
    return c.json(await sessionBody(signedIn));
  };
}

function refreshGrant({
  transaction,
  sessionBody,
  hasPasswords,
  checkProviderSession,
}: TokenDependencies): AuthHandler {
  return async (c) => {
    const { refresh_token } = readAttributes(c.var.body, v.object({ refresh_token: optionalText }));
    await checkProviderSession?.(c.var.requestId, refresh_token);
    if (!hasPasswords) await transaction((client) => endPasswordSession(client, refresh_token));
    const refreshed = await transaction(async (client) => {
      const session = await refreshSession(client, refresh_token);
      return session && { session, user: await getUser(client, session.userId) };
    });
    if (refreshed) return c.json(await sessionBody(refreshed));
    throw new GoTrueError(400, "refresh_token_already_used", "Invalid Refresh Token: Already Used");
  };
}

/**
 * Signs a member in with the code of a recovery link or of a sign-in at a provider. A wrong verifier rolls the
 * transaction back, so that the link still works in the browser that requested it.
 */
function pkceGrant({ transaction, sessionBody, hasPasswords }: TokenDependencies): AuthHandler {
  return async (c) => {
    const { auth_code, code_verifier } = readAttributes(
      c.var.body,
      v.object({ auth_code: optionalText, code_verifier: optionalText }),
    );
    if (auth_code === "" || code_verifier === "") {
      throw invalid("invalid request: both auth code and code verifier should be non-empty");
    }
    const signedIn = await transaction(async (client) => {
      const { userId, provider, encrypted } = requireCode(await redeemCode(client, auth_code), code_verifier);
      if (encrypted === null && !hasPasswords) throw passwordsDisabled();
      await changeUser(client, userId, { isConfirmed: true });
      const started = await startSession(client, userId, encrypted === null ? "password" : "oauth");
      if (encrypted !== null) await storeProviderSession(client, started.session.id, provider, encrypted);
      return started;
    });
    return c.json(await sessionBody(signedIn));
  };
}
