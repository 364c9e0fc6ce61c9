import type { Context } from "hono";
import * as v from "valibot";
import type { AuthEnv, AuthHandler } from "./auth-env.ts";
import { emailExists, invalid, userNotFound } from "./auth-error.ts";
import { requireEmail } from "./email.ts";
import { object, read, text } from "./json-body.ts";
import { invitationMessage } from "./messages.ts";
import { safeRedirect } from "./redirects.ts";
import { createLinkToken, isLinkKind, type LinkKind, pageLink } from "./store/link-tokens.ts";
import { createUser, findUserByEmail, getUser, userBody } from "./store/users.ts";

/** GoTrue, internal/api/invite.go. */
export const invite: AuthHandler = async (c) => {
  const { settings, sendMail } = c.var.services;
  const { user, token } = await makeLink(c, "invite");
  const redirectTo = safeRedirect(c.req.query("redirect_to"), settings);
  const link = pageLink(redirectTo, { token_hash: token, type: "invite" });
  await sendMail(invitationMessage(settings.siteName, user.email, link));
  return c.json(userBody(user));
};

/** GoTrue, internal/api/mail.go, adminGenerateLink. */
export const generateLink: AuthHandler = async (c) => {
  const asked = read(c.var.body, v.object({ type: text, redirect_to: text }));
  if (!isLinkKind(asked.type)) throw invalid("Invalid email action link type requested");
  const { user, token } = await makeLink(c, asked.type);
  const redirectTo = safeRedirect(c.req.query("redirect_to") ?? asked.redirect_to, c.var.services.settings);
  return c.json({
    ...userBody(user),
    // No `email_otp`: short codes can be guessed.
    action_link: pageLink(redirectTo, { token_hash: token, type: asked.type }),
    hashed_token: token,
    verification_type: asked.type,
    redirect_to: redirectTo,
  });
};

async function makeLink({ var: { body, services } }: Context<AuthEnv>, kind: LinkKind) {
  const { email: typed, data } = read(body, v.object({ email: text, data: object }));
  const email = requireEmail(typed);
  const { isNew, ...made } = await services.transaction(async (client) => {
    const known = await findUserByEmail(client, email);
    if (kind === "recovery" && known === undefined) throw userNotFound();
    if (kind === "invite" && known && known.email_confirmed_at !== null) throw emailExists();
    const user = known ?? (await createUser(client, email, { metadata: data ?? {} }));
    const token = await createLinkToken(client, user, kind);
    return { user: await getUser(client, user.id), token, isNew: known === undefined };
  });
  if (isNew) services.onWrite();
  return made;
}
