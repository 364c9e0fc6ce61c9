import { randomUUID } from "node:crypto";
import type { ClientBase } from "pg";
import * as v from "valibot";
import type { Settings } from "../config/settings.ts";
import type { Log } from "../http/log.ts";
import type { AuthHandler, AuthTransaction } from "./auth-env.ts";
import { GoTrueError, invalid, linkExpired } from "./auth-error.ts";
import { optionalText, readAttributes } from "./json-body.ts";
import type { Passwords } from "./passwords.ts";
import { findInvitation, takePlace } from "./store/invitations.ts";
import { type SignedIn, startSession } from "./store/sessions.ts";
import { createUser } from "./store/users.ts";

/** The type in the URL of an email that an invitation link has sent. */
export const JOIN = "join" as const;

const BODY = v.object({
  token_hash: optionalText,
  password: optionalText,
  full_name: optionalText,
  username: optionalText,
});

interface JoinDependencies {
  transaction: AuthTransaction;
  passwords: Passwords;
  settings: Pick<Settings, "passwordSignIn">;
  sessionBody(signedIn: SignedIn): Promise<object>;
  onWrite(): void;
  log: Log;
}

const usedUp = () =>
  new GoTrueError(403, "invitation_link_used_up", "All places of this invitation link are taken");

/** Returns the email's address. Throws GoTrueError if the token can't be used to join. */
export async function requireInvitation(client: ClientBase, token: string): Promise<string> {
  const invitation = await findInvitation(client, token);
  if (invitation === undefined) throw linkExpired();
  if (!invitation.hasPlace) throw usedUp();
  return invitation.email;
}

/**
 * Creates a confirmed account for the owner of an email that an invitation link has sent, and takes the link's place in the
 * same transaction. Returns a session. With PASSWORD_SIGN_IN=off, the account has no password, and its owner signs in at the
 * provider, so the response has only the address. Not part of Supabase's protocol.
 */
export function join({
  transaction,
  passwords,
  settings,
  sessionBody,
  onWrite,
  log,
}: JoinDependencies): AuthHandler {
  return async (c) => {
    const { token_hash, password, full_name, username } = readAttributes(c.var.body, BODY);
    // Don't hash for a request without a valid token.
    await transaction((client) => requireInvitation(client, token_hash));
    if (settings.passwordSignIn && password === "") throw invalid("A password is required");
    const passwordHash = settings.passwordSignIn ? await passwords.hash(password) : undefined;
    const metadata = { ...named("full_name", full_name), ...named("username", username) };
    const id = randomUUID();
    const { email, signedIn } = await transaction(async (client) => {
      const place = await takePlace(client, token_hash, id);
      if (place === undefined) throw linkExpired();
      if (!place.hasPlace) throw usedUp();
      const { email } = place;
      await createUser(client, email, { id, passwordHash, isConfirmed: true, metadata });
      return { email, signedIn: settings.passwordSignIn ? await startSession(client, id) : undefined };
    });
    onWrite();
    log.info({ requestId: c.var.requestId, id, email }, "member.joined");
    return c.json(signedIn ? await sessionBody(signedIn) : { email });
  };
}

/** PostgreSQL can store neither NUL nor half a surrogate pair. A trigger copies the names to the profile. */
function named(name: string, typed: string): Record<string, string> {
  const text = typed.toWellFormed().replaceAll("\0", "").trim();
  return text === "" ? {} : { [name]: text };
}
