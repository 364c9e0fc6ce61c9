import * as v from "valibot";
import type { Settings } from "../config/settings.ts";
import type { AuthHandler, AuthTransaction, Body } from "./auth-env.ts";
import { emailExists, invalid, userNotFound } from "./auth-error.ts";
import { requireEmail } from "./email-address.ts";
import { invitationEmail, providerInvitationEmail } from "./emails.ts";
import { optionalObject, optionalText, readAttributes } from "./json-body.ts";
import { safeRedirect } from "./redirects.ts";
import type { SendEmail } from "./send-email.ts";
import { createLinkToken, isLinkKind, type LinkKind, pageLink } from "./store/link-tokens.ts";
import { createUser, findUserByEmail, getUser, userBody } from "./store/users.ts";

interface LinkDependencies {
  transaction: AuthTransaction;
  onWrite(): void;
}

type LinkSettings = Pick<
  Settings,
  "siteUrl" | "siteName" | "mailTemplates" | "redirectUrls" | "passwordSignIn" | "singleSignOn"
>;

/** Emails an invitation, and creates the account if it doesn't exist yet, as in GoTrue's internal/api/invite.go. */
export function invite(
  dependencies: LinkDependencies,
  settings: LinkSettings,
  sendEmail: SendEmail,
): AuthHandler {
  return async (c) => {
    const { user, token } = await makeLink(dependencies, c.var.body, "invite");
    const { singleSignOn, passwordSignIn } = settings;
    if (singleSignOn && !passwordSignIn) {
      const page = `${settings.siteUrl}/profile`;
      await sendEmail(providerInvitationEmail(settings, user.email, singleSignOn.name, page));
      return c.json(userBody(user));
    }
    const redirectTo = safeRedirect(c.req.query("redirect_to"), settings);
    const link = pageLink(redirectTo, { token_hash: token, type: "invite" });
    await sendEmail(invitationEmail(settings, user.email, link));
    return c.json(userBody(user));
  };
}

/**
 * Returns a recovery or invitation link without sending it, like `adminGenerateLink` in GoTrue's internal/api/mail.go.
 */
export function generateLink(dependencies: LinkDependencies, settings: LinkSettings): AuthHandler {
  return async (c) => {
    const { type, redirect_to } = readAttributes(
      c.var.body,
      v.object({ type: optionalText, redirect_to: optionalText }),
    );
    if (!isLinkKind(type)) throw invalid("Invalid email action link type requested");
    const { user, token } = await makeLink(dependencies, c.var.body, type);
    const redirectTo = safeRedirect(c.req.query("redirect_to") ?? redirect_to, settings);
    return c.json({
      ...userBody(user),
      // In GoTrue, this is a short code that works instead of the link. There is none here, because it can be guessed.
      // Clients such as supabase-py require the field.
      email_otp: "",
      action_link: pageLink(redirectTo, { token_hash: token, type }),
      hashed_token: token,
      verification_type: type,
      redirect_to: redirectTo,
    });
  };
}

async function makeLink({ transaction, onWrite }: LinkDependencies, body: Body, kind: LinkKind) {
  const { email: typed, data } = readAttributes(
    body,
    v.object({ email: optionalText, data: optionalObject }),
  );
  const email = requireEmail(typed);
  const { isNew, ...link } = await transaction(async (client) => {
    const existing = await findUserByEmail(client, email);
    if (kind === "recovery" && existing === undefined) throw userNotFound();
    if (kind === "invite" && existing && existing.email_confirmed_at !== null) throw emailExists();
    const user = existing ?? (await createUser(client, email, { metadata: data ?? {} }));
    const token = await createLinkToken(client, user, kind);
    return { user: await getUser(client, user.id), token, isNew: existing === undefined };
  });
  if (isNew) onWrite();
  return link;
}
