import type { Context } from "hono";
import * as v from "valibot";
import { errorName } from "../config/error-message.ts";
import type { Log } from "../http/log.ts";
import type { AuthHandler } from "./auth-env.ts";
import { GoTrueError, invalid, invalidCredentials } from "./auth-error.ts";
import type { AuthTransaction } from "./auth-transaction.ts";
import { normalizeEmail } from "./email.ts";
import { optionalText, readAttributes } from "./json-body.ts";
import type { CheckPassword, SignInLimits } from "./password-check.ts";
import { findCredentials, type SignedIn, startSessionWithPassword } from "./store/sessions.ts";

const BODY = v.object({ email: optionalText, password: optionalText, phone: optionalText });

interface PasswordGrant {
  transaction: AuthTransaction;
  checkPassword: CheckPassword;
  limits: SignInLimits;
  addressOf(c: Context): string | undefined;
  sessionBody(signedIn: SignedIn): Promise<object>;
  log: Log;
}

/**
 * Does the same work for an unknown email address as for a wrong password, so that the duration of the response doesn't
 * reveal which accounts exist.
 */
export function signIn(grant: PasswordGrant): AuthHandler {
  const { transaction, checkPassword, limits, addressOf, sessionBody, log } = grant;
  return async (c) => {
    const { email: typed, password, phone } = readAttributes(c.var.body, BODY);
    if (phone !== "") throw new GoTrueError(422, "phone_provider_disabled", "Phone logins are disabled");
    if (typed === "") throw invalid("missing email or phone");
    const normalized = normalizeEmail(typed);
    const email = normalized ?? typed;
    const { id, hash } = await transaction((client) => findCredentials(client, normalized));
    await checkPassword(c, { email, password, hash, wrongPasswordError: invalidCredentials() });
    const signedIn = await transaction((client) => startSessionWithPassword(client, id, hash));
    await limits.succeeded(addressOf(c), email).catch((error: unknown) => {
      log.warn({ requestId: c.var.requestId, reason: errorName(error) }, "sign_in.reset_failed");
    });
    return c.json(await sessionBody(signedIn));
  };
}
