import type { Context } from "hono";
import { LRUCache } from "lru-cache";
import type { ClientBase } from "pg";
import { errorName } from "../config/error-message.ts";
import { LIMITS } from "../config/limits.ts";
import { addressKey } from "../http/client-address.ts";
import type { Log } from "../http/log.ts";
import type { SignInLimits } from "./attempt-limits.ts";
import type { AuthEnv, AuthTransaction } from "./auth-env.ts";
import { type GoTrueError, tooManyRequests } from "./auth-error.ts";
import type { Passwords } from "./passwords.ts";

export type CheckPassword = ReturnType<typeof createPasswordCheck>;

interface PasswordCheckDependencies {
  transaction: AuthTransaction;
  passwords: Passwords;
  limits: SignInLimits;
  addressOf(c: Context): string | undefined;
  log: Log;
  onSignInFailed(isLimited: boolean): void;
}

interface PasswordAttempt<Account, Result> {
  email: string;
  password: string;
  /** `hash` is null if the account doesn't exist or has no password. */
  findAccount(client: ClientBase): Promise<Account & { hash: string | null }>;
  wrongPasswordError: GoTrueError;
  /** Runs once the password has been found correct, in a transaction. */
  onCorrect(client: ClientBase, account: Account & { hash: string | null }): Promise<Result>;
}

const MAX_GUESSING_CLIENTS = 10_000;

/**
 * The returned function checks a password and counts each failure. It throws `wrongPasswordError`, or an error with
 * status 429 after too many failures. It holds no connection for the tenth of a second that hashing takes.
 */
export function createPasswordCheck(check: PasswordCheckDependencies) {
  const { transaction, passwords, limits, addressOf, log, onSignInFailed } = check;
  // Passwords of these clients are checked last. Otherwise, a few guessing addresses would delay other sign-ins.
  const guessing = new LRUCache<string, true>({
    max: MAX_GUESSING_CLIENTS,
    ttl: LIMITS.slowRequest.penaltyMs,
  });
  return async <Account, Result>(
    c: Context<AuthEnv>,
    { email, password, findAccount, wrongPasswordError, onCorrect }: PasswordAttempt<Account, Result>,
  ): Promise<Result> => {
    const address = addressOf(c);
    const rejection = (waitMs: number) => {
      log.warn({ requestId: c.var.requestId, address, limited: waitMs > 0 }, "sign_in.failed");
      onSignInFailed(waitMs > 0);
      return waitMs > 0 ? tooManyRequests(waitMs) : wrongPasswordError;
    };
    const { account, waitMs } = await transaction(async (client) => ({
      account: await findAccount(client),
      waitMs: await limits.wait(client, address, email),
    }));
    if (waitMs > 0) throw rejection(waitMs);
    const client = addressKey(address);
    if (!(await passwords.matches(password, account.hash, { afterOthers: guessing.has(client) }))) {
      guessing.set(client, true);
      throw rejection(await transaction((client) => limits.failed(client, address, email)));
    }
    const result = await transaction(async (client) => {
      // Check again: simultaneous guesses all pass the first check, but once too many have failed, the right one must
      // not succeed.
      const lateWaitMs = await limits.wait(client, address, email);
      if (lateWaitMs > 0) throw rejection(lateWaitMs);
      return onCorrect(client, account);
    });
    const reset = transaction((client) => limits.succeeded(client, address, email));
    await reset.catch((error: unknown) => {
      log.warn({ requestId: c.var.requestId, reason: errorName(error) }, "sign_in.reset_failed");
    });
    return result;
  };
}
