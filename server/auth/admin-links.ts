import type { Context } from "hono";
import type { PoolClient } from "pg";
import { emailExists, invalid, userNotFound } from "./auth-error.ts";
import { requireEmail } from "./email.ts";
import type { AuthEnv } from "./guards.ts";
import { type Body, objectField, readBody, textField } from "./json-body.ts";
import { invitationMessage } from "./messages.ts";
import { checkNewPassword } from "./passwords.ts";
import { safeRedirect } from "./redirects.ts";
import type { AuthServices } from "./services.ts";
import { createLinkToken, type LinkKind, pageLink, verifyLink } from "./store/links.ts";
import { createUser, findUserByEmail, getUser, type NewUser, type User, userBody } from "./store/users.ts";

/** `POST /invite`: makes an account without a password and mails its owner the link in (GoTrue, internal/api/invite.go). */
export function inviteHandler(services: AuthServices) {
  const { settings, mail } = services;
  return async (c: Context<AuthEnv>): Promise<Response> => {
    const body = await readBody(c);
    const email = requireEmail(textField(body, "email"));
    const { user, token } = await makeLink(services, "invite", newcomer(email, null, body));
    const redirectTo = safeRedirect(c.req.query("redirect_to"), settings);
    await mail.send(invitationMessage(settings.siteName, email, pageLink(redirectTo, "invite", token)));
    return c.json(userBody(user));
  };
}

/**
 * `POST /admin/generate_link`: the link that a mail would carry, without the mail (GoTrue, internal/api/mail.go,
 * adminGenerateLink). For `signup`, `invite` and `magiclink` it makes the account where there is none.
 */
export function generateLinkHandler(services: AuthServices) {
  return async (c: Context<AuthEnv>): Promise<Response> => {
    const body = await readBody(c);
    const email = requireEmail(textField(body, "email"));
    const asked = readKind(textField(body, "type"));
    const passwordHash = asked === "signup" ? await signupHash(services, body) : null;
    const { user, token, kind } = await makeLink(services, asked, newcomer(email, passwordHash, body));
    const requested = c.req.query("redirect_to") ?? textField(body, "redirect_to");
    const redirectTo = safeRedirect(requested, services.settings);
    return c.json({
      ...userBody(user),
      action_link: verifyLink(services.settings.siteUrl, kind, token, redirectTo),
      // There are no short codes to type: they can be guessed. The whole token works in their place.
      email_otp: token,
      hashed_token: token,
      verification_type: kind,
      redirect_to: redirectTo,
    });
  };
}

function readKind(type: string): LinkKind {
  if (type === "signup" || type === "invite" || type === "magiclink" || type === "recovery") return type;
  throw invalid("Invalid email action link type requested");
}

async function signupHash({ passwords }: AuthServices, body: Body): Promise<string> {
  const password = textField(body, "password");
  if (password === "") throw invalid("Signup requires a valid password");
  checkNewPassword(password);
  return passwords.hash(password);
}

function newcomer(email: string, passwordHash: string | null, body: Body): NewUser {
  return { email, passwordHash, confirmed: false, userMetadata: objectField(body, "data") };
}

interface MadeLink {
  user: User;
  token: string;
  kind: LinkKind;
}

async function makeLink(services: AuthServices, asked: LinkKind, account: NewUser): Promise<MadeLink> {
  const now = services.now();
  const { made, ...link } = await services.transaction(async (client) => {
    const known = await findUserByEmail(client, account.email);
    const kind = known || asked !== "magiclink" ? asked : "signup";
    const user = known ? linkable(known, kind) : await createFor(client, kind, account, now);
    const token = await createLinkToken(client, user, kind, undefined, now);
    return { user: await getUser(client, user.id), token, kind, made: !known };
  });
  if (made) services.onWrite("profiles");
  return link;
}

/** Who is a member already is neither invited nor signed up. */
function linkable(user: User, kind: LinkKind): User {
  const forNewcomers = kind === "invite" || kind === "signup";
  if (forNewcomers && user.email_confirmed_at !== null) throw emailExists();
  return user;
}

async function createFor(client: PoolClient, kind: LinkKind, account: NewUser, now: Date): Promise<User> {
  if (kind === "recovery") throw userNotFound();
  return createUser(client, account, now);
}
