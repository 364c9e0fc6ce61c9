import * as v from "valibot";
import type { AuthHandler, AuthTransaction } from "./auth-env.ts";
import { invalid, linkExpired } from "./auth-error.ts";
import { JOIN, requireInvitation } from "./join.ts";
import { optionalText, readAttributes } from "./json-body.ts";
import { requireCode } from "./pkce.ts";
import { findCode, findLinkToken, isLinkKind, redeemLinkToken } from "./store/link-tokens.ts";
import { type SignedIn, startSession } from "./store/sessions.ts";
import { changeUser } from "./store/users.ts";

/** Redeems the token of an invitation or recovery link, and signs the member in (GoTrue's internal/api/verify.go). */
export function verify(
  transaction: AuthTransaction,
  sessionBody: (signedIn: SignedIn) => Promise<object>,
): AuthHandler {
  return async (c) => {
    const { type, token_hash } = readAttributes(
      c.var.body,
      v.object({ type: optionalText, token_hash: optionalText }),
    );
    if (!isLinkKind(type)) throw invalid("Invalid email verification type");
    const signedIn = await transaction(async (client) => {
      const userId = await redeemLinkToken(client, type, token_hash);
      if (userId === undefined) throw linkExpired();
      await changeUser(client, userId, { isConfirmed: true });
      return startSession(client, userId);
    });
    return c.json(await sessionBody(signedIn));
  };
}

const PREVIEW = v.object({
  type: optionalText,
  token_hash: optionalText,
  auth_code: optionalText,
  code_verifier: optionalText,
});

/**
 * Returns the email address of a link's account, or of the account that it will create, so that the page can name the
 * account before the member redeems the link. For an invitation, also returns the names that the operator has entered.
 * Leaves the link usable. An expired link gets the same error as when it is redeemed. Not part of Supabase's
 * protocol.
 */
export function previewLink(transaction: AuthTransaction, hasPasswords: boolean): AuthHandler {
  return async (c) => {
    const { type, token_hash, auth_code, code_verifier } = readAttributes(c.var.body, PREVIEW);
    if (type === JOIN) {
      const email = await transaction((client) => requireInvitation(client, token_hash));
      return c.json({ email, setsPassword: hasPasswords });
    }
    const account = await transaction(async (client) => {
      if (auth_code !== "") return requireCode(await findCode(client, auth_code), code_verifier);
      return isLinkKind(type) ? findLinkToken(client, type, token_hash) : undefined;
    });
    if (account === undefined) throw linkExpired();
    const { email } = account;
    // Only the form of an invitation asks for names.
    if (type !== "invite" || !("full_name" in account)) return c.json({ email });
    const { full_name, username } = account;
    return c.json({ email, names: { full_name: full_name ?? "", username: username ?? "" } });
  };
}
