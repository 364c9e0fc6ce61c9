import type { Context } from "hono";
import type { Log } from "../http/log.ts";
import type { createSignInLimits } from "./attempt-limits.ts";
import type { AuthEnv } from "./auth-env.ts";
import { type GoTrueError, tooManyRequests } from "./auth-error.ts";
import type { Passwords } from "./passwords.ts";

export type SignInLimits = ReturnType<typeof createSignInLimits>;
export type CheckPassword = ReturnType<typeof createPasswordCheck>;

interface PasswordAttempt {
  email: string;
  password: string;
  /** Is null if the account doesn't exist or has no password. */
  hash: string | null;
  /** Thrown for a wrong password. */
  wrong: GoTrueError;
}

/**
 * Checks one attempt at a password and counts a failure. Throws 429 above the limits on sign-in. Don't call it in a
 * transaction: hashing takes a tenth of a second.
 */
export function createPasswordCheck(
  passwords: Passwords,
  limits: SignInLimits,
  addressOf: (c: Context) => string | undefined,
  log: Log,
  onSignInFailed: (isLimited: boolean) => void,
) {
  return async (c: Context<AuthEnv>, { email, password, hash, wrong }: PasswordAttempt): Promise<void> => {
    const address = addressOf(c);
    const rejection = (waitMs: number) => {
      log.warn({ requestId: c.var.requestId, address, limited: waitMs > 0 }, "sign_in.failed");
      onSignInFailed(waitMs > 0);
      return waitMs > 0 ? tooManyRequests(waitMs) : wrong;
    };
    const waitMs = await limits.wait(address, email);
    if (waitMs > 0) throw rejection(waitMs);
    if (!(await passwords.matches(password, hash))) throw rejection(await limits.failed(address, email));
    // Check again: the right one of many simultaneous guesses must not succeed after too many wrong ones.
    const lateWaitMs = await limits.wait(address, email);
    if (lateWaitMs > 0) throw rejection(lateWaitMs);
  };
}
