import * as v from "valibot";
import type { AuthHandler } from "./auth-env.ts";
import { requireEmail } from "./email.ts";
import { read, text } from "./json-body.ts";
import { recoveryMessage } from "./messages.ts";
import { readChallenge } from "./pkce.ts";
import { safeRedirect } from "./redirects.ts";
import { createLinkToken, pageLink } from "./store/link-tokens.ts";
import { findUserByEmail, type User } from "./store/users.ts";

const BODY = v.object({ email: text, code_challenge: text, code_challenge_method: text });

/** GoTrue, internal/api/recover.go. Neither bytes nor time of the answer tell whether the account exists. */
export const recover: AuthHandler = async (c) => {
  const { transaction, sendMail, mailLater, allowsMail, settings, addressOf } = c.var.services;
  const body = read(c.var.body, BODY);
  const email = requireEmail(body.email);
  const challenge = readChallenge(body.code_challenge, body.code_challenge_method);
  const redirectTo = safeRedirect(c.req.query("redirect_to"), settings);
  if (!(await allowsMail(addressOf(c), email))) return c.json({});

  const send = async (user: User) => {
    const token = await transaction((client) => createLinkToken(client, user, "recovery", challenge));
    const link = pageLink(redirectTo, challenge ? { code: token } : { token_hash: token, type: "recovery" });
    await sendMail(recoveryMessage(settings.siteName, user.email, link));
  };
  const user = await transaction((client) => findUserByEmail(client, email));
  if (user) mailLater(c.var.requestId, "recovery", send(user));
  return c.json({});
};
