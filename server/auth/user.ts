import type { Context } from "hono";
import type { PoolClient } from "pg";
import * as v from "valibot";
import type { AuthEnv, AuthHandler } from "./auth-env.ts";
import { GoTrueError, invalid, tooManyRequests } from "./auth-error.ts";
import { requireEmail } from "./email.ts";
import { object, read, text } from "./json-body.ts";
import { passwordChangedMessage } from "./messages.ts";
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
  refuseUnsupported(asked);
  const email = asked.email === "" ? undefined : requireEmail(asked.email);
  const metadata = asked.data ?? undefined;
  const passwordHash = await newHash(c, asked);
  const user = await transaction(async (client) => {
    if (email !== undefined) await refuseOtherEmail(client, userId, email);
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

function refuseUnsupported({ app_metadata, phone }: Asked): void {
  if (app_metadata) {
    throw new GoTrueError(403, "not_admin", "Updating app_metadata requires admin privileges");
  }
  if (phone !== "") {
    throw new GoTrueError(422, "phone_provider_disabled", "Phone numbers are not supported");
  }
}

interface KnownPassword {
  email: string;
  hash: string | null;
}

/** Outside any transaction, because hashing takes a while. */
async function newHash(c: Context<AuthEnv>, { password, current_password: current }: Asked) {
  const { passwords } = c.var.services;
  const { transaction, userId } = c.var.member;
  if (typeof password !== "string") return undefined;
  const query = "select email, encrypted_password as hash from auth.users where id = $1";
  const found = await transaction((client) => client.query<KnownPassword>(query, [userId]));
  const known = found.rows[0] ?? { email: "", hash: null };
  if (typeof current === "string") await checkCurrent(c, current, known);
  if (await passwords.matches(password, known.hash)) {
    throw new GoTrueError(422, "same_password", "New password should be different from the old password.");
  }
  return passwords.hash(password);
}

/** Wrong ones count as failed sign-ins: a session left open must not become a way to guess the password. */
async function checkCurrent(c: Context<AuthEnv>, current: string, { email, hash }: KnownPassword) {
  const { passwords, signInLimits, addressOf } = c.var.services;
  const address = addressOf(c);
  const waitMs = await signInLimits.wait(address, email);
  if (waitMs > 0) throw tooManyRequests(waitMs);
  if (await passwords.matches(current, hash)) return;
  const lateWaitMs = await signInLimits.failed(address, email);
  if (lateWaitMs > 0) throw tooManyRequests(lateWaitMs);
  throw new GoTrueError(400, "current_password_invalid", "The current password is not correct.");
}

async function refuseOtherEmail(client: PoolClient, userId: string, email: string): Promise<void> {
  if ((await getUser(client, userId)).email === email) return;
  throw new GoTrueError(422, "feature_disabled", "Changing the email address is not available");
}
