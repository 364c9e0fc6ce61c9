import * as v from "valibot";
import type { AuthHandler } from "./auth-env.ts";
import { GoTrueError, invalid } from "./auth-error.ts";
import { read, text } from "./json-body.ts";
import { isLinkKind, redeemLinkToken } from "./store/link-tokens.ts";
import { startSession } from "./store/sessions.ts";
import { changeUser } from "./store/users.ts";

const BODY = v.object({ type: text, token_hash: text });

/** GoTrue, internal/api/verify.go. */
export const verify: AuthHandler = async (c) => {
  const { transaction, sessionBody } = c.var.services;
  const { type, token_hash } = read(c.var.body, BODY);
  if (!isLinkKind(type)) throw invalid("Invalid email verification type");
  const signedIn = await transaction(async (client) => {
    const userId = await redeemLinkToken(client, type, token_hash);
    if (userId === undefined)
      throw new GoTrueError(403, "otp_expired", "Email link is invalid or has expired");
    await changeUser(client, userId, { isConfirmed: true });
    return startSession(client, userId);
  });
  return c.json(await sessionBody(signedIn));
};
