import type { Context } from "hono";
import { invalid } from "./auth-error.ts";
import { requireEmail } from "./email.ts";
import { type AuthEnv, requestId } from "./guards.ts";
import { readBody, textField } from "./json-body.ts";
import { recoveryMessage } from "./messages.ts";
import { type Challenge, readChallenge } from "./pkce.ts";
import { safeRedirect } from "./redirects.ts";
import type { AuthServices } from "./services.ts";
import { createLinkToken, verifyLink } from "./store/links.ts";
import { findUserByEmail, type User } from "./store/users.ts";

/**
 * `POST /recover`: sends the link to set a new password (GoTrue, internal/api/recover.go). The answer comes
 * before anything is done that an unknown address would not cause, so neither its bytes nor its time tell.
 */
export function recoverHandler(services: AuthServices) {
  return async (c: Context<AuthEnv>): Promise<Response> => {
    const body = await readBody(c);
    if (textField(body, "email") === "") throw invalid("Password recovery requires an email");
    const email = requireEmail(textField(body, "email"));
    const challenge = readChallenge(
      textField(body, "code_challenge"),
      textField(body, "code_challenge_method"),
    );
    const redirectTo = safeRedirect(c.req.query("redirect_to"), services.settings);
    const allowed = await services.mailLimits.allows(services.device(c).address, email);
    const user = await services.transaction((client) => findUserByEmail(client, email));
    if (user && allowed) {
      sendRecovery(services, user, challenge, redirectTo).catch((error: unknown) => {
        const reason = error instanceof Error ? error.name : typeof error;
        services.log.error("recovery mail failed", { requestId: requestId(c), reason });
      });
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
  const { transaction, mail, settings, now } = services;
  const token = await transaction((client) => createLinkToken(client, user, "recovery", challenge, now()));
  const link = verifyLink(settings.siteUrl, "recovery", token, redirectTo);
  await mail.send(recoveryMessage(settings.siteName, user.email, link));
}
