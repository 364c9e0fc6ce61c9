import type { Context } from "hono";
import * as v from "valibot";
import type { Settings } from "../config/settings.ts";
import type { AuthEnv, AuthHandler } from "./auth-env.ts";
import { GoTrueError, invalid, passwordsDisabled, userNotFound } from "./auth-error.ts";
import { requireEmail } from "./email-address.ts";
import { passwordChangedEmail } from "./emails.ts";
import { optionalObject, optionalText, readAttributes } from "./json-body.ts";
import type { CheckPassword } from "./password-check.ts";
import type { Passwords } from "./passwords.ts";
import type { SendEmail, UnsentEmails } from "./send-email.ts";
import { changeUser, findAccount, getUser, type SignedInAccount, userBody } from "./store/users.ts";

/** Browsers store the metadata as part of the session, so it must stay small. */
const MAX_METADATA_BYTES = 16_384;

const BODY = v.object({
  email: optionalText,
  phone: optionalText,
  password: v.nullish(v.string()),
  current_password: v.nullish(v.string()),
  nonce: optionalText,
  data: optionalObject,
  app_metadata: optionalObject,
});

type Changes = v.InferOutput<typeof BODY>;

export const readUser: AuthHandler = async (c) => {
  const { transaction, userId } = c.var.member;
  return c.json(userBody(await transaction((client) => getUser(client, userId))));
};

interface UserUpdate {
  passwords: Passwords;
  checkPassword: CheckPassword;
  settings: Pick<Settings, "siteUrl" | "siteName" | "mailTemplates" | "passwordSignIn">;
  sendEmail: SendEmail;
  sendLater: UnsentEmails["sendLater"];
}

/** Changes the member's own password or metadata (GoTrue's internal/api/user.go). */
export function updateUser({
  passwords,
  checkPassword,
  settings,
  sendEmail,
  sendLater,
}: UserUpdate): AuthHandler {
  return async (c) => {
    const { transaction, userId, sessionId } = c.var.member;
    const changes = readAttributes(c.var.body, BODY);
    const account = await transaction((client) => findAccount(client, userId, sessionId));
    if (!account) throw userNotFound();
    rejectUnsupported(changes, account.email);
    if (typeof changes.password === "string" && !settings.passwordSignIn) throw passwordsDisabled();
    const metadata = changes.data ?? undefined;
    const passwordHash = await hashNewPassword(c, changes, account, passwords, checkPassword);
    const user = await transaction(async (client) => {
      const changed = await changeUser(client, userId, { passwordHash, metadata }, sessionId);
      const bytes = Buffer.byteLength(JSON.stringify(changed.user_metadata));
      if (metadata === undefined || bytes <= MAX_METADATA_BYTES) return changed;
      throw invalid(`User metadata cannot exceed ${MAX_METADATA_BYTES} bytes`);
    });
    // The first password after an invitation is not a change that the member has to be warned of.
    const acceptsInvitation =
      account.hash === null && user.identities.every(({ provider }) => provider === "email");
    if (passwordHash !== undefined && !acceptsInvitation) {
      const message = passwordChangedEmail(settings, user.email, `${settings.siteUrl}/profile`);
      sendLater(c.var.requestId, "password_changed", sendEmail(message));
    }
    return c.json(userBody(user));
  };
}

function rejectUnsupported({ app_metadata, phone, email }: Changes, ownEmail: string): void {
  if (app_metadata) {
    throw new GoTrueError(403, "not_admin", "Updating app_metadata requires admin privileges");
  }
  if (phone !== "") {
    throw new GoTrueError(422, "phone_provider_disabled", "Phone numbers are not supported");
  }
  if (email !== "" && requireEmail(email) !== ownEmail) {
    throw new GoTrueError(422, "feature_disabled", "Changing the email address is not available");
  }
}

/**
 * A stolen session alone must not be enough to take over the account. Works like Supabase's setting "Secure password
 * change", but doesn't send codes by email (`nonce`). Clients send `current_password`, or the member signs in again. A
 * recovery link counts as a sign-in.
 */
function reauthenticationError(nonce: string): GoTrueError {
  return nonce === ""
    ? new GoTrueError(400, "reauthentication_needed", "Password update requires reauthentication")
    : new GoTrueError(422, "reauthentication_not_valid", "Nonce has expired or is invalid");
}

async function hashNewPassword(
  c: Context<AuthEnv>,
  { password, current_password: current, nonce }: Changes,
  { email, hash, hasJustSignedIn }: SignedInAccount,
  passwords: Passwords,
  checkPassword: CheckPassword,
): Promise<string | undefined> {
  if (typeof password !== "string") return undefined;
  if (typeof current === "string") {
    // A wrong current password counts toward the sign-in limits, so that it can't be guessed in an unattended session.
    const message = "The current password is not correct.";
    const wrongPasswordError = new GoTrueError(400, "current_password_invalid", message);
    await checkPassword(c, {
      email,
      password: current,
      findAccount: async () => ({ hash }),
      wrongPasswordError,
      onCorrect: async () => undefined,
    });
  } else if (!hasJustSignedIn) throw reauthenticationError(nonce);
  if (await passwords.matches(password, hash)) {
    throw new GoTrueError(422, "same_password", "New password should be different from the old password.");
  }
  return passwords.hash(password);
}
