import * as v from "valibot";
import type { AuthHandler, Body } from "./auth-env.ts";
import { emailExists, invalid, userNotFound } from "./auth-error.ts";
import { requireEmail } from "./email.ts";
import { object, read, text } from "./json-body.ts";
import { invitationMessage } from "./messages.ts";
import { safeRedirect } from "./redirects.ts";
import type { AuthServices } from "./services.ts";
import { createLinkToken, isLinkKind, type LinkKind, pageLink, verifyLink } from "./store/link-tokens.ts";
import { createUser, findUserByEmail, getUser, type User, userBody } from "./store/users.ts";

/** Makes an account without a password and mails its owner the link in (GoTrue, internal/api/invite.go). */
export function inviteHandler(services: AuthServices): AuthHandler {
  const { settings, mail } = services;
  return async (c) => {
    const { user, token } = await makeLink(services, "invite", c.var.body);
    const redirectTo = safeRedirect(c.req.query("redirect_to"), settings);
    const link = pageLink({ kind: "invite", token, redirectTo });
    await mail.send(invitationMessage(settings.siteName, user.email, link));
    return c.json(userBody(user));
  };
}

/** The link that a mail would carry, without the mail (GoTrue, internal/api/mail.go, adminGenerateLink). */
export function generateLinkHandler(services: AuthServices): AuthHandler {
  const { settings } = services;
  return async (c) => {
    const { type: kind, redirect_to } = read(c.var.body, v.object({ type: text, redirect_to: text }));
    if (!isLinkKind(kind)) throw invalid("Invalid email action link type requested");
    const { user, token } = await makeLink(services, kind, c.var.body);
    const redirectTo = safeRedirect(c.req.query("redirect_to") ?? redirect_to, settings);
    return c.json({
      ...userBody(user),
      action_link: verifyLink(settings.siteUrl, { kind, token, redirectTo }),
      // There are no short codes to type: they can be guessed. The whole token works in their place.
      email_otp: token,
      hashed_token: token,
      verification_type: kind,
      redirect_to: redirectTo,
    });
  };
}

async function makeLink(services: AuthServices, kind: LinkKind, body: Body) {
  const { email: typed, data } = read(body, v.object({ email: text, data: object }));
  const email = requireEmail(typed);
  const { isNew, ...made } = await services.transaction(async (client) => {
    const known = await findUserByEmail(client, email);
    refuseUnfit(kind, known);
    const user = known ?? (await createUser(client, email, { metadata: data ?? {} }));
    const token = await createLinkToken(client, { user, kind });
    return { user: await getUser(client, user.id), token, isNew: known === undefined };
  });
  if (isNew) services.onWrite();
  return made;
}

/** Members are not invited, and only known accounts recover. */
function refuseUnfit(kind: LinkKind, known: User | undefined): void {
  if (kind === "recovery" && known === undefined) throw userNotFound();
  if (kind === "invite" && known && known.email_confirmed_at !== null) throw emailExists();
}
