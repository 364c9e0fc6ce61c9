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
  /** Null if the account doesn't exist or has no password. */
  hash: string | null;
  wrongPasswordError: GoTrueError;
}

/**
 * The returned function checks a password and counts each failure. It throws `wrongPasswordError`, or an error with
 * status 429 after too many failures. Don't call it in a transaction, which would hold a connection for the tenth of a
 * second that hashing takes.
 */
export function createPasswordCheck(
  passwords: Passwords,
  limits: SignInLimits,
  addressOf: (c: Context) => string | undefined,
  log: Log,
  onSignInFailed: (isLimited: boolean) => void,
) {
  return async (
    c: Context<AuthEnv>,
    { email, password, hash, wrongPasswordError }: PasswordAttempt,
  ): Promise<void> => {
    const address = addressOf(c);
    const rejection = (waitMs: number) => {
      log.warn({ requestId: c.var.requestId, address, limited: waitMs > 0 }, "sign_in.failed");
      onSignInFailed(waitMs > 0);
      return waitMs > 0 ? tooManyRequests(waitMs) : wrongPasswordError;
    };
    const waitMs = await limits.wait(address, email);
    if (waitMs > 0) throw rejection(waitMs);
    if (!(await passwords.matches(password, hash))) throw rejection(await limits.failed(address, email));
    // Check again: simultaneous guesses all pass the first check, but once too many have failed, the right one must not
    // succeed.
    const lateWaitMs = await limits.wait(address, email);
    if (lateWaitMs > 0) throw rejection(lateWaitMs);
  };
}
