import type { Context } from "hono";
import * as v from "valibot";
import type { Settings } from "../config/settings.ts";
import type { MailDecision } from "./attempt-limits.ts";
import type { AuthHandler, AuthTransaction } from "./auth-env.ts";
import { requireEmail } from "./email-address.ts";
import { noPasswordEmail, recoveryEmail } from "./emails.ts";
import { optionalText, readAttributes } from "./json-body.ts";
import { PROVIDER } from "./oidc/account.ts";
import { readChallenge } from "./pkce.ts";
import { safeRedirect } from "./redirects.ts";
import type { SendEmail, UnsentEmails } from "./send-email.ts";
import { createLinkCode, createLinkToken, pageLink } from "./store/link-tokens.ts";
import { findAccount, findUserByEmail, type User } from "./store/users.ts";

const BODY = v.object({
  email: optionalText,
  code_challenge: optionalText,
  code_challenge_method: optionalText,
});

interface Recovery {
  transaction: AuthTransaction;
  settings: Pick<Settings, "siteUrl" | "siteName" | "mailTemplates" | "redirectUrls" | "singleSignOn">;
  decideEmail(address: string | undefined, email: string): Promise<MailDecision>;
  addressOf(c: Context): string | undefined;
  sendEmail: SendEmail;
  sendLater: UnsentEmails["sendLater"];
}

/**
 * Emails a link for setting a new password (GoTrue's internal/api/recover.go). Neither the content of the response nor
 * its duration reveals whether the account exists.
 *
 * A link that is requested with a PKCE challenge works only in the browser that requested it. Once the account's limit
 * is used up, the few further emails contain a link for any browser instead. Otherwise, an attacker could request these
 * emails too, and the owner would receive only links that work in the attacker's browser.
 */
export function recover(recovery: Recovery): AuthHandler {
  const { transaction, settings, decideEmail, addressOf, sendEmail, sendLater } = recovery;
  return async (c) => {
    const body = readAttributes(c.var.body, BODY);
    const email = requireEmail(body.email);
    const challenge = readChallenge(body.code_challenge, body.code_challenge_method);
    const redirectTo = safeRedirect(c.req.query("redirect_to"), settings);
    const decision = await decideEmail(addressOf(c), email);
    if (decision === "reject") return c.json({});

    const linkFor = (user: User) =>
      transaction(async (client) =>
        challenge && decision === "send"
          ? { code: await createLinkCode(client, user, challenge) }
          : {
              token_hash: await createLinkToken(client, user, "recovery"),
              type: "recovery" as const,
            },
      );
    const send = async (user: User) => {
      const account = await transaction((client) => findAccount(client, user.id));
      const provider = settings.singleSignOn?.name;
      if (provider !== undefined && account?.hash === null && isLinked(user)) {
        const page = `${settings.siteUrl}/profile`;
        return sendEmail(noPasswordEmail(settings, user.email, provider, page));
      }
      const parameters = await linkFor(user);
      const link = pageLink(redirectTo, parameters);
      await sendEmail(recoveryEmail(settings, user.email, link, "code" in parameters));
    };
    const user = await transaction((client) => findUserByEmail(client, email));
    if (user) sendLater(c.var.requestId, "recovery", send(user));
    return c.json({});
  };
}

/** Whether the member has signed in at a provider. */
function isLinked({ identities }: User): boolean {
  return identities.some(({ provider }) => provider === PROVIDER);
}
