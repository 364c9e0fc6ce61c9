import type { Context } from "hono";
import * as v from "valibot";
import { isUuid } from "../../../common/data/addresses.ts";
import type { RelyingParty } from "../../config/relying-party.ts";
import type { Settings } from "../../config/settings.ts";
import type { Log } from "../../http/log.ts";
import type { createPasskeyLimits } from "../attempt-limits.ts";
import type { AuthEnv, AuthTransaction, Body } from "../auth-env.ts";
import { GoTrueError, invalid } from "../auth-error.ts";
import { optionalObject, optionalText, readAttributes } from "../json-body.ts";
import type { SendEmail, UnsentEmails } from "../send-email.ts";
import type { SignedIn } from "../store/sessions.ts";
import { RejectedResponseError } from "./ceremony.ts";

export interface PasskeyDependencies {
  rp: RelyingParty;
  settings: Pick<Settings, "siteUrl" | "siteName" | "mailTemplates">;
  transaction: AuthTransaction;
  sessionBody(signedIn: SignedIn): Promise<object>;
  limits: ReturnType<typeof createPasskeyLimits>;
  addressOf(c: Context): string | undefined;
  sendEmail: SendEmail;
  sendLater: UnsentEmails["sendLater"];
  /** Logs why an authenticator's response was rejected, and returns the error. */
  logged(c: Context<AuthEnv>, error: unknown): unknown;
}

/** Challenges and signatures, and everything else that a client could have put there. */
const LONG_WORD = /[\w-]{30,}/g;
const MAX_REASON_CHARACTERS = 200;

export function createRejectionLog(
  log: Log,
  addressOf: PasskeyDependencies["addressOf"],
): PasskeyDependencies["logged"] {
  return (c, error) => {
    if (error instanceof RejectedResponseError) {
      const reason = error.reason.replace(LONG_WORD, "…").slice(0, MAX_REASON_CHARACTERS);
      log.warn({ requestId: c.var.requestId, address: addressOf(c), reason }, "passkey.rejected");
    }
    return error;
  };
}

const BODY = v.object({ challenge_id: optionalText, credential: optionalObject });

/** Throws GoTrueError. */
export function readResponse(body: Body): { challengeId: string; credential: Body } {
  const { challenge_id: challengeId, credential } = readAttributes(body, BODY);
  if (challengeId === "") throw invalid("challenge_id is required");
  if (!credential) throw invalid("credential is required");
  if (!isUuid(challengeId)) throw invalid("challenge_id must be a valid UUID");
  return { challengeId, credential };
}

/** Throws GoTrueError. */
export function requireChallenge(consumed: { challenge: string; isExpired: boolean } | undefined): string {
  if (!consumed) {
    throw new GoTrueError(400, "webauthn_challenge_not_found", "Challenge not found or already used");
  }
  if (!consumed.isExpired) return consumed.challenge;
  throw new GoTrueError(400, "webauthn_challenge_expired", "Challenge has expired");
}
