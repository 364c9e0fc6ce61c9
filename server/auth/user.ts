import type { Context } from "hono";
import * as v from "valibot";
import type { AuthEnv, AuthHandler } from "./auth-env.ts";
import { GoTrueError, invalid, userNotFound } from "./auth-error.ts";
import { requireEmail } from "./email.ts";
import { object, read, text } from "./json-body.ts";
import { passwordChangedMessage } from "./messages.ts";
import { checkPassword } from "./password-grant.ts";
import { changeUser, getUser, userBody } from "./store/users.ts";

/** It travels in every session that a browser keeps. */
const MAX_METADATA_BYTES = 16_384;

const BODY = v.object({
  email: text,
  phone: text,
  password: v.nullish(v.string()),
  current_password: v.nullish(v.string()),
  data: object,
  app_metadata: object,
});

type Asked = v.InferOutput<typeof BODY>;

export const readUser: AuthHandler = async (c) => {
  const { transaction, userId } = c.var.member;
  return c.json(userBody(await transaction((client) => getUser(client, userId))));
};

/** GoTrue, internal/api/user.go. */
export const updateUser: AuthHandler = async (c) => {
  const { sendMail, mailLater, settings } = c.var.services;
  const { transaction, userId, sessionId } = c.var.member;
  const asked = read(c.var.body, BODY);
  const query = "select email, encrypted_password as hash from auth.users where id = $1";
  const [known] = (await transaction((client) => client.query<Known>(query, [userId]))).rows;
  if (!known) throw userNotFound();
  refuseUnsupported(asked, known);
  const metadata = asked.data ?? undefined;
  const passwordHash = await newHash(c, asked, known);
  const user = await transaction(async (client) => {
    const changed = await changeUser(client, userId, { passwordHash, metadata }, sessionId);
    const bytes = Buffer.byteLength(JSON.stringify(changed.user_metadata));
    if (metadata === undefined || bytes <= MAX_METADATA_BYTES) return changed;
    throw invalid(`User metadata cannot exceed ${MAX_METADATA_BYTES} bytes`);
  });
  if (passwordHash !== undefined) {
    const message = passwordChangedMessage(settings.siteName, user.email, `${settings.siteUrl}/profile`);
    mailLater(c.var.requestId, "password_changed", sendMail(message));
  }
  return c.json(userBody(user));
};

interface Known {
  email: string;
  hash: string | null;
}

function refuseUnsupported({ app_metadata, phone, email }: Asked, known: Known): void {
  if (app_metadata) {
    throw new GoTrueError(403, "not_admin", "Updating app_metadata requires admin privileges");
  }
  if (phone !== "") {
    throw new GoTrueError(422, "phone_provider_disabled", "Phone numbers are not supported");
  }
  if (email !== "" && requireEmail(email) !== known.email) {
    throw new GoTrueError(422, "feature_disabled", "Changing the email address is not available");
  }
}

async function newHash(c: Context<AuthEnv>, { password, current_password: current }: Asked, known: Known) {
  const { passwords } = c.var.services;
  if (typeof password !== "string") return undefined;
  if (typeof current === "string") {
    // Counts as a sign-in: a session left open must not become a way to guess the password.
    const wrong = new GoTrueError(400, "current_password_invalid", "The current password is not correct.");
    await checkPassword(c, known.email, current, known.hash, wrong);
  }
  if (await passwords.matches(password, known.hash)) {
    throw new GoTrueError(422, "same_password", "New password should be different from the old password.");
  }
  return passwords.hash(password);
}
