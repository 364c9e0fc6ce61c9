import type { AuthHandler } from "../auth-env.ts";
import { GoTrueError, tooManyRequests } from "../auth-error.ts";
import { consumeChallenge, findCredential, recordUse, storeChallenge } from "../store/passkeys.ts";
import { startSession } from "../store/sessions.ts";
import {
  authenticationOptions,
  credentialOf,
  parseAssertion,
  RejectedResponseError,
  verifyAuthentication,
} from "./ceremony.ts";
import { type PasskeyDependencies, readResponse, requireChallenge } from "./passkey-dependencies.ts";

/** Starts a sign-in with a passkey (GoTrue's internal/api/passkey_authentication.go). */
export function startSignIn({ rp, transaction, limits, addressOf }: PasskeyDependencies): AuthHandler {
  return async (c) => {
    const options = await authenticationOptions(rp);
    const { waitMs, challenge } = await transaction(async (client) => {
      const waitMs = await limits.signInStarted(client, addressOf(c));
      if (waitMs > 0) return { waitMs };
      return { waitMs, challenge: await storeChallenge(client, "authentication", null, options.challenge) };
    });
    if (!challenge) throw tooManyRequests(waitMs);
    return c.json({ challenge_id: challenge.id, options, expires_at: Math.floor(challenge.expiresAt) });
  };
}

/** Does the same work for an unknown passkey as for a wrong signature. Counts both as failed sign-ins. */
export function finishSignIn(
  dependencies: PasskeyDependencies,
  onSignInFailed: (isLimited: boolean) => void,
): AuthHandler {
  const { transaction, limits, addressOf, sessionBody } = dependencies;
  const signIn: AuthHandler = async (c) => {
    const { challengeId, credential } = readResponse(c.var.body);
    const { consumed, waitMs } = await transaction(async (client) => {
      const waitMs = await limits.wait(client, addressOf(c));
      if (waitMs > 0) return { waitMs };
      return { waitMs, consumed: await consumeChallenge(client, "authentication", null, challengeId) };
    });
    if (waitMs > 0) {
      onSignInFailed(true);
      throw tooManyRequests(waitMs);
    }
    const challenge = requireChallenge(consumed);
    const assertion = parseAssertion(credential);
    const { credentialId, handle } = credentialOf(assertion);
    const stored = await transaction((client) => findCredential(client, credentialId, handle));
    const { signCount, isBackedUp } = await verifyAuthentication(
      dependencies.rp,
      challenge,
      assertion,
      stored,
    );
    const signedIn = await transaction(async (client) => {
      const used = stored && (await recordUse(client, stored, signCount, isBackedUp));
      if (!used) throw new RejectedResponseError("the counter did not increase, or the passkey was removed");
      if (!used.isConfirmed) throw new GoTrueError(403, "email_not_confirmed", "Email not confirmed");
      return startSession(client, stored.userId, "passkey");
    });
    return c.json(await sessionBody(signedIn));
  };
  return async (c) => {
    try {
      return await signIn(c);
    } catch (error) {
      if (error instanceof RejectedResponseError) {
        await transaction((client) => limits.failed(client, addressOf(c)));
        onSignInFailed(false);
      }
      throw dependencies.logged(c, error);
    }
  };
}
