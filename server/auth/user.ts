import type { Context } from "hono";
import type { PoolClient } from "pg";
import { GoTrueError, invalid } from "./auth-error.ts";
import { requireEmail } from "./email.ts";
import type { AuthEnv } from "./guards.ts";
import { objectField, optionalText, readBody, textField } from "./json-body.ts";
import { checkNewPassword } from "./passwords.ts";
import type { AuthServices } from "./services.ts";
import { changePassword, getUser, mergeMetadata, userBody } from "./store/users.ts";

/** It travels in every session that a browser keeps. */
const mostMetadataBytes = 16_384;

/** `GET /user`: the member's own account. */
export function readUserHandler({ database }: AuthServices) {
  return async (c: Context<AuthEnv>): Promise<Response> => {
    const { authContext, userId } = c.get("member");
    return c.json(userBody(await database.transaction(authContext, (client) => getUser(client, userId))));
  };
}

/**
 * `PUT /user`: a new password, which ends the member's other sessions, or changes to `data`, his metadata
 * (GoTrue, internal/api/user.go). A new e-mail address is refused: docs/decisions/010-sign-in.md.
 */
export function updateUserHandler(services: AuthServices) {
  const { database, now } = services;
  return async (c: Context<AuthEnv>): Promise<Response> => {
    const { authContext, userId, sessionId } = c.get("member");
    const body = await readBody(c);
    const email = textField(body, "email");
    const password = optionalText(body, "password");
    const data = objectField(body, "data");
    if (objectField(body, "app_metadata")) {
      throw new GoTrueError(403, "not_admin", "Updating app_metadata requires admin privileges");
    }
    if (textField(body, "phone") !== "") {
      throw new GoTrueError(422, "phone_provider_disabled", "Phone numbers are not supported");
    }
    const newEmail = email === "" ? undefined : requireEmail(email);
    const hash = password === undefined ? undefined : await newHash(services, c, password);
    const user = await database.transaction(authContext, async (client) => {
      if (newEmail !== undefined) await refuseOtherEmail(client, userId, newEmail);
      if (hash !== undefined) await changePassword(client, userId, hash, sessionId, now());
      if (data !== undefined) {
        const bytes = await mergeMetadata(client, userId, "raw_user_meta_data", data, now());
        if (bytes > mostMetadataBytes)
          throw invalid(`User metadata cannot exceed ${mostMetadataBytes} bytes`);
      }
      return getUser(client, userId);
    });
    return c.json(userBody(user));
  };
}

/** Hashing takes a while, so it happens outside any transaction. */
async function newHash(services: AuthServices, c: Context<AuthEnv>, password: string): Promise<string> {
  checkNewPassword(password);
  const { authContext, userId } = c.get("member");
  const text = "select encrypted_password as hash from auth.users where id = $1";
  const found = await services.database.transaction(authContext, (client) =>
    client.query<{ hash: string | null }>(text, [userId]),
  );
  if (await services.passwords.matches(password, found.rows[0]?.hash)) {
    throw new GoTrueError(422, "same_password", "New password should be different from the old password.");
  }
  return services.passwords.hash(password);
}

async function refuseOtherEmail(client: PoolClient, userId: string, email: string): Promise<void> {
  if ((await getUser(client, userId)).email === email) return;
  throw new GoTrueError(422, "feature_disabled", "Changing the email address is not available");
}
