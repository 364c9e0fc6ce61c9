import type { ClientBase } from "pg";
import { LIMITS } from "../../config/limits.ts";
import type { AuthHandler } from "../auth-env.ts";
import { GoTrueError, tooManyRequests, userNotFound } from "../auth-error.ts";
import { passkeyAddedEmail } from "../emails.ts";
import { addPasskey, consumeChallenge, type Owner, readOwner, storeChallenge } from "../store/passkeys.ts";
import { nameOfNew } from "./authenticator-names.ts";
import { registrationOptions, verifyRegistration } from "./ceremony.ts";
import { type PasskeyDependencies, readResponse, requireChallenge } from "./passkey-dependencies.ts";

/** Starts the registration of a passkey (GoTrue's internal/api/passkey_registration.go). */
export function startAddition({ rp, settings, limits }: PasskeyDependencies): AuthHandler {
  return async (c) => {
    const { transaction, userId, sessionId } = c.var.member;
    const { owner, waitMs } = await transaction(async (client) => ({
      owner: await readRegistrant(client, userId, sessionId),
      waitMs: await limits.additionStarted(client, userId),
    }));
    if (waitMs > 0) throw tooManyRequests(waitMs);
    if (!owner.hasJustSignedIn) throw reauthenticationError();
    const options = await registrationOptions(rp, settings.siteName, { id: userId, ...owner });
    const challenge = await transaction((client) =>
      storeChallenge(client, "registration", userId, options.challenge),
    );
    return c.json({ challenge_id: challenge.id, options, expires_at: Math.floor(challenge.expiresAt) });
  };
}

/** Adds a passkey, and tells the member by email. */
export function finishAddition(dependencies: PasskeyDependencies): AuthHandler {
  const { rp, settings, sendEmail, sendLater } = dependencies;
  return async (c) => {
    const { transaction, userId, sessionId } = c.var.member;
    const { challengeId, credential } = readResponse(c.var.body);
    const consumed = await transaction((client) =>
      consumeChallenge(client, "registration", userId, challengeId),
    );
    const verified = await verifyRegistration(rp, requireChallenge(consumed), credential).catch(
      (error: unknown) => {
        throw dependencies.logged(c, error);
      },
    );
    const { passkey, email } = await transaction(async (client) => {
      const owner = await readRegistrant(client, userId, sessionId);
      const names = owner.credentials.map(({ name }) => name);
      const passkey = await addPasskey(client, userId, nameOfNew(verified.aaguid, names), verified);
      return { passkey, email: owner.email };
    });
    const { id, friendly_name, created_at } = passkey;
    const message = passkeyAddedEmail(settings, email, friendly_name, `${settings.siteUrl}/profile#passkeys`);
    sendLater(c.var.requestId, "passkey_added", sendEmail(message));
    return c.json({ id, friendly_name, created_at });
  };
}

/**
 * A stolen session alone must not be enough to get a credential that outlives it, as for a new password. Only the start
 * checks this: a client that has the challenge has passed the check.
 */
function reauthenticationError(): GoTrueError {
  return new GoTrueError(400, "reauthentication_needed", "Adding a passkey requires reauthentication");
}

/** Throws GoTrueError if the member can't have another passkey. */
async function readRegistrant(client: ClientBase, userId: string, sessionId: string): Promise<Owner> {
  const owner = await readOwner(client, userId, sessionId);
  if (!owner) throw userNotFound();
  // The provider decides who may sign in. A passkey would bypass it.
  if (!owner.hasPassword) {
    throw new GoTrueError(422, "validation_failed", "SSO users cannot register passkeys");
  }
  if (owner.credentials.length >= LIMITS.passkeys.perMember) {
    throw new GoTrueError(422, "too_many_passkeys", "Maximum number of passkeys reached");
  }
  return owner;
}
