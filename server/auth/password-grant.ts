import * as v from "valibot";
import type { AuthHandler } from "./auth-env.ts";
import { GoTrueError, invalid, invalidCredentials } from "./auth-error.ts";
import { normalizeEmail } from "./email-address.ts";
import { optionalText, readAttributes } from "./json-body.ts";
import type { CheckPassword } from "./password-check.ts";
import { findCredentials, type SignedIn, startSessionWithPassword } from "./store/sessions.ts";

const BODY = v.object({ email: optionalText, password: optionalText, phone: optionalText });

/**
 * Does the same work for an unknown email address as for a wrong password, so that the duration of the response doesn't
 * reveal which accounts exist.
 */
export function signIn(
  checkPassword: CheckPassword,
  sessionBody: (signedIn: SignedIn) => Promise<object>,
): AuthHandler {
  return async (c) => {
    const { email: typed, password, phone } = readAttributes(c.var.body, BODY);
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
