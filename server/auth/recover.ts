import * as v from "valibot";
import type { AuthHandler } from "./auth-env.ts";
import { requireEmail } from "./email.ts";
import { read, text } from "./json-body.ts";
import { recoveryMessage } from "./messages.ts";
import { type Challenge, readChallenge } from "./pkce.ts";
import { safeRedirect } from "./redirects.ts";
import type { AuthServices } from "./services.ts";
import { createLinkToken, verifyLink } from "./store/link-tokens.ts";
import { findUserByEmail, type User } from "./store/users.ts";

const BODY = v.object({ email: text, code_challenge: text, code_challenge_method: text });

/** GoTrue, internal/api/recover.go. Neither bytes nor time of the answer tell whether the account exists. */
export function recoverHandler(services: AuthServices): AuthHandler {
  return async (c) => {
    const body = read(c.var.body, BODY);
    const email = requireEmail(body.email);
    const challenge = readChallenge(body.code_challenge, body.code_challenge_method);
    const redirectTo = safeRedirect(c.req.query("redirect_to"), services.settings);
    if (!(await services.mailLimits.allows(services.addressOf(c), email))) return c.json({});
    const user = await services.transaction((client) => findUserByEmail(client, email));
    if (user) {
      const sending = sendRecovery(services, user, challenge, redirectTo);
      services.mailLater(c.var.requestId, "recovery", sending);
    }
    return c.json({});
  };
}

async function sendRecovery(
  services: AuthServices,
  user: User,
  challenge: Challenge | undefined,
  redirectTo: string,
): Promise<void> {
  const { transaction, mail, settings } = services;
  const token = await transaction((client) => createLinkToken(client, { user, kind: "recovery", challenge }));
  const link = verifyLink(settings.siteUrl, { kind: "recovery", token, redirectTo });
  await mail.send(recoveryMessage(settings.siteName, user.email, link));
}
